import Foundation
import InputFiles
import Subprocess
import TestSupport
import Testing

/// The workflow of the page about CI, run step by step in an empty folder.
@Suite(.serialized) struct InYourCITests {
  private let folder: TemporaryFolder
  private let page: DocumentationPage

  init() throws {
    folder = try TemporaryFolder()
    page = try DocumentationPage.named("docs/in-your-ci.md")
  }

  /// Returns the commands of the workflow's steps, in their order.
  private func steps() throws -> [String] {
    let workflow = try #require(page.text.firstMatch(of: /```yaml\n(on: push\n(?:.*\n)*?)```/)).1
    let root = try YAMLMapping(text: String(workflow), place: "the page", keys: ["on", "jobs"])
    let job = try root.mapping("jobs", keys: ["gate"]).mapping("gate", keys: nil)
    return try job.mappings("steps", keys: ["uses", "run"]).filter { $0.has("run") }.map { try $0.string("run") }
  }

  /// Runs the steps in the folder until one of them fails, and returns the outcome of the last one.
  ///
  /// A function of the shell clones the repository, by a link to the program that is tested. Another one builds it.
  /// They are not files, since a file that was just written cannot be executed while a concurrent test starts a
  /// program.
  private func build() async throws -> Program.Outcome {
    let functions = """
      git() { mkdir -p "${@: -1}/.build/release" && ln -sf '\(Program.path)' "${@: -1}/.build/release/stackbench"; }
      make() { :; }
      """
    let app = "\(folder.path)/app"
    try FileManager.default.createDirectory(atPath: app, withIntermediateDirectories: true)
    var outcome = Program.Outcome(status: -1, output: "", errors: [])
    for step in try steps() {
      // A service replaces the expression before the shell sees it.
      let script = step.replacing("${{ vars.STACKBENCH }}", with: "https://example.org/stackbench.git")
      outcome = try await Program.run(
        .name("bash"), ["--noprofile", "--norc", "-eo", "pipefail", "-c", "\(functions)\ncd '\(app)'\n\(script)"],
        environment: .inherit.updating(["COLUMNS": nil]))
      if outcome.status != 0 { break }
    }
    return outcome
  }

  @Test func `the workflow is green in an empty folder, and red for a child of main`() async throws {
    #expect(try steps().count == 2)
    let green = try await build()
    #expect(green.status == 0, "\(green)")
    #expect(folder.contents(of: "app") == [".stackbench", "Results", "gate.yaml", "stack.yaml"])
    // The page has a command that makes the build fail.
    let change = try #require(page.text.firstMatch(of: /\n    (stackbench topologies child-of-main .*)\n/)).1
    let changed = try await Program.run(
      .name("bash"), ["-ec", "cd '\(folder.path)/app'\nPATH=\"$PWD/.stackbench/.build/release:$PATH\"\n\(change)"])
    #expect(changed.status == 0, "\(changed)")
    let red = try await build()
    #expect(red.status == 2, "\(red)")
    #expect(red.errors.first?.hasPrefix("error: import, child-of-main: hitch is ") == true, "\(red.errors)")
    // The page shows what the build prints.
    let shown = try #require(
      page.text.firstMatch(of: /<!-- printed by the build -->\n\n((?:    .*\n|\n)+)/)
    ).1
    let lines = shown.split(separator: "\n").map { String($0.dropFirst(4)) }
    #expect(lines == red.output.split(separator: "\n").prefix(lines.count).map(String.init))
  }
}
