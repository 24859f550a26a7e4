import Foundation
import TestSupport
import Testing

/// Tests of `stackbench claims` in a folder that has no file of the repository, with claims of a user and other
/// devices.
@Suite struct OwnClaimsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func claims(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(["claims"] + arguments, in: folder.path)
  }

  /// Returns a file with an experiment and a claim about it.
  private static func text(settings: String, more: String = "", over: String = "") -> String {
    """
    experiments:
      mine: {settings: {topology: [all-main, worker-merge], rows: 400, existing-rows: 200, \(settings)}, \(more)}
    claims:
      - id: worker-helps
        statement: A worker beside main drops fewer frames than an import on main.
        experiment: mine
        label: dropped frames of worker-merge less those of all-main
        figure:
          difference:
            - {column: hitch_total_ns, of: worker-merge}
            - {column: hitch_total_ns, of: all-main}
        \(over)
        holds-if: {below: 0}
    """
  }

  private static let drawn = text(settings: "batch-size: 200", more: "draws: 3")

  /// Returns the settings, the trial and the figure of each case in a CSV answer.
  private static func cases(_ outcome: Program.Outcome) -> [[String]] {
    outcome.output.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
      .map { Array($0.components(separatedBy: ",")[4...7]) }
  }

  @Test func `a shipped claim is shown without any file of the repository`() async throws {
    let known = try await claims("main-is-mostly-fine", "--format", "csv")
    #expect(known.status == 0, "\(known.errors)")
    #expect(Self.cases(known).count == 15)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `the figures on a device are kept ones if the program has them`() async throws {
    let all = Self.cases(try await claims("main-is-mostly-fine", "--format", "csv"))
    let outcome = try await claims("main-is-mostly-fine", "--profile", "iphone-4s", "--format", "csv")
    #expect(Self.cases(outcome) == all.filter { $0[0] == "profile=iphone-4s" })
    let usual = try await claims("observers-cost", "--format", "csv")
    #expect(
      Self.cases(try await claims("observers-cost", "--profile", "iphone-15-pro", "--format", "csv"))
        == Self.cases(usual))
    let older = Self.cases(try await claims("observers-cost", "--profile", "iphone-4s", "--format", "csv"))
    #expect(older.map { $0[1] } == Self.cases(usual).map { $0[1] })
    #expect(zip(older, Self.cases(usual)).allSatisfy { $0[2] != $1[2] })
  }

  @Test func `--profile has the effect of the setting in the file`() async throws {
    let flag = try await claims(try folder.write(Self.drawn, to: "a.yaml"), "--profile", "iphone-6s", "--format", "csv")
    #expect(flag.status == 0, "\(flag.errors)")
    let setting = Self.text(settings: "batch-size: 200, profile: iphone-6s", more: "draws: 3")
    let given = try await claims(try folder.write(setting, to: "b.yaml"), "--format", "csv")
    #expect(Self.cases(flag).count == 3)
    #expect(Self.cases(flag) == Self.cases(given))
    let varied = Self.text(
      settings: "batch-size: 200", more: "draws: 3, vary: {profile: [iphone-4s, iphone-6s]}", over: "over: [profile]")
    let both = try await claims(try folder.write(varied, to: "c.yaml"), "--format", "csv")
    #expect(Self.cases(both).filter { $0[0] == "profile=iphone-6s" }.map { $0[2] } == Self.cases(given).map { $0[2] })
  }

  @Test func `a claim may be about a stack of the user`() async throws {
    _ = try folder.write(try Repository.text("docs/background-task.yaml"), to: "stack.yaml")
    let text = """
      experiments:
        mine: {settings: {topology: [stack.yaml, all-main], rows: 200}, vary: {batch-size: [50, 200]}}
      claims:
        - id: contexts
          statement: My stack has one context more.
          experiment: mine
          label: contexts
          figure: {difference: [{code: contexts, of: background-task}, {code: contexts, of: all-main}]}
          holds-if: {equals: 1}
        - id: work
          statement: Main works less in my stack.
          experiment: mine
          label: time of main
          figure:
            difference:
              - {column: main_busy_ns, of: background-task, at: {batch-size: 200}}
              - {column: main_busy_ns, of: all-main, at: {batch-size: 200}}
          holds-if: {below: 0}
      """
    let outcome = try await claims(try folder.write(text, to: "mine.yaml"), "--format", "csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(Self.cases(outcome).map { $0[3] } == ["1", "1"])
    let one = try await claims("mine.yaml", "contexts", "--format", "csv")
    #expect(Self.cases(one) == Array(Self.cases(outcome).prefix(1)))
  }

  @Test func `the page about claims shows an example and its verdict`() async throws {
    let page = try Repository.text("docs/claims.md")
    let example = try Repository.text("docs/own-claims.yaml")
    #expect(page.contains("```yaml\n\(example)```"))
    _ = try folder.write(example, to: "own-claims.yaml")
    let outcome = try await claims("own-claims.yaml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("verdict:") || $0.hasPrefix("figure:") }
    #expect(lines.count == 2)
    for line in lines { #expect(page.contains("\n    \(line)\n")) }
  }

  @Test func `a wrong file is refused in one line with its place`() async throws {
    let lines: [(String, String, String)] = [
      ("label: ", "lable: ", "mine.yaml:7: claims[0].lable: not known; did you mean label?"),
      (
        "experiment: mine", "experiment: main-saves-mush",
        "mine.yaml:6: claims[0].experiment: main-saves-mush is not known"
      ),
      (
        "profile: iphone-6s", "profile: iphone-66",
        "mine.yaml:2: experiments.mine.settings.profile: iphone-66: not known; did you mean iphone-6s?"
      ),
      ("holds-if: {below: 0}", "", "mine.yaml:4: claims[0].holds-if: missing"),
      (
        "hitch_total_ns, of: w", "hitches_ns, of: w",
        "mine.yaml:10: claims[0].figure.difference[0].column: hitches_ns is not"
      ),
      (
        "of: worker-merge", "of: worker-merg",
        "mine.yaml:10: claims[0].figure.difference[0].of: worker-merg is not known"
      ),
    ]
    for (word, wrong, message) in lines {
      let text = Self.text(settings: "profile: iphone-6s")
      #expect(text.contains(word))
      _ = try folder.write(text.replacing(word, with: wrong), to: "mine.yaml")
      let outcome = try await claims("mine.yaml")
      #expect(outcome.status == 64)
      #expect(outcome.errors.count == 1 && outcome.errors[0].hasPrefix("error: \(message)"), "\(outcome.errors)")
    }
    let missing = try await claims("none.yaml")
    #expect(missing.status == 64)
    #expect(
      missing.errors == [
        "error: none.yaml: cannot be read: No such file or directory; use the path of claims in YAML"
      ])
  }
}
