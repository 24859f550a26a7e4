import Foundation
import TestSupport
import Testing

/// The script that compares the printed blocks of the pages with what their commands print.
@Suite struct PrintedBlocksTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `blocks of all pages are compared, and each command runs once`() async throws {
    try await expect(
      [
        "README.md": block("stackbench run", "one 1", "…", "three"),
        "docs/a.md": block("stackbench run", "two  2") + block("stackbench show", "four"),
      ], printed: ["run": "one 1\ntwo  2\nthree", "show": "four"], errors: [])
    #expect(try runs() == ["run", "show"])
  }

  @Test func `a line missing in the output prints one error with its page`() async throws {
    try await expect(
      ["README.md": block("stackbench run", "one"), "docs/a.md": block("stackbench run", "one", "two 3")],
      printed: ["run": "one\ntwo 2"], errors: ["error: docs/a.md: 'stackbench run' does not print:", "  two 3"])
  }

  @Test func `recording replaces figures and names lines that have no counterpart`() async throws {
    let table = block("stackbench run", "100   1.5", "…", "1000  2.5 s", "an old line")
    try await expect(
      ["README.md": table, "docs/a.md": ""], mode: "record",
      printed: ["run": "1000  9.25 s\n100   8.5\n1000  7.75 s"],
      errors: ["error: README.md: 'stackbench run' does not print:", "  an old line"])
    let page = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/README.md"), encoding: .utf8)
    #expect(page == block("stackbench run", "100   8.5", "…", "1000  7.75 s", "an old line"))
  }

  @Test func `a comment without a block is an error`() async throws {
    try await expect(
      ["README.md": "<!-- printed by: stackbench run -->\n\nText.\n", "docs/a.md": ""], printed: ["run": "one"],
      errors: [
        "error: README.md: 'stackbench run' does not print:", "  (the page shows no line of its output)",
      ])
  }

  /// Returns Markdown that shows these lines as printed by a command.
  private func block(_ command: String, _ lines: String...) -> String {
    "<!-- printed by: \(command) -->\n\n" + lines.map { "    \($0)\n" }.joined() + "\nText.\n\n"
  }

  /// Runs the script on a repository of these pages, with a program that prints a text for each command.
  private func expect(
    _ pages: [String: String], mode: String = "check", printed: [String: String], errors: [String]
  ) async throws {
    for name in [".ci", "docs"] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    let script = try folder.write(try Repository.text(".ci/readme"), to: ".ci/readme")
    for (path, text) in pages { _ = try folder.write(text, to: path) }
    for (name, text) in printed { _ = try folder.write(text + "\n", to: "printed-\(name)") }
    let program = try folder.writeProgram(
      "#!/bin/sh\necho \"$1\" >>'\(folder.path)/log'\ncat '\(folder.path)/printed-'\"$1\"\n", to: "program")
    let outcome = try await Program.run(.name("python3"), [script, mode, program])
    #expect(outcome.status == (errors.isEmpty ? 0 : 1))
    #expect(outcome.errors == errors)
  }

  /// Returns the names of the commands that the program has run, in order.
  private func runs() throws -> [String] {
    let log = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/log"), encoding: .utf8)
    return log.split(separator: "\n").map(String.init)
  }
}
