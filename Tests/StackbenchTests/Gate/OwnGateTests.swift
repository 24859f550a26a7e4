import Foundation
import Reporting
import TestSupport
import Testing

/// Tests of `stackbench gate` in the folder of an app, as the built program runs it.
@Suite(.serialized) struct OwnGateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: "\(folder.path)/app", withIntermediateDirectories: false)
  }

  private func gate(_ arguments: String..., in place: String = "app") async throws -> Program.Outcome {
    try await Program.run(["gate"] + arguments, in: "\(folder.path)/\(place)")
  }

  /// Writes the gate of the app into the app's folder, which also contains its stack.
  private func write(
    _ settings: String = "topology: stack.yaml, rows: 120, batch-size: 40", limits: String = "hitch: 1000"
  ) throws {
    _ = try folder.write(
      "draws: 2\nruns:\n  import:\n    settings: {existing-rows: 60, mix: \"100:0:0\", \(settings)}\n"
        + "    limits: {\(limits)}\n", to: "app/gate.yaml")
  }

  private func writeStack(_ name: String) async throws {
    let text = try await Program.run(["topologies", name, "--format", "yaml"])
    _ = try folder.write(text.output, to: "app/stack.yaml")
  }

  @Test func `a stack is held to limits, recorded, and then compared`() async throws {
    try await writeStack("worker-merge")
    try write()
    let first = try await gate()
    #expect(first.status == 0, "\(first)")
    #expect(
      first.output.hasSuffix(
        """
        Gate: equal; 1 run: 1 of 1 limit kept
        Not in gate-baseline, and held to limits only: import; run 'stackbench gate --record' to record a baseline

        """), "\(first)")
    let recorded = try await gate("--record")
    #expect(recorded.output == "Baseline: 1 run with 1 stack recorded in gate-baseline; commit it\n", "\(recorded)")
    #expect(folder.contents(of: "app/gate-baseline") == ["import"])

    // The file is named from another folder, and its paths are still relative to it.
    let elsewhere = try await gate("app/gate.yaml", in: ".")
    #expect(elsewhere.status == 0, "\(elsewhere)")
    #expect(elsewhere.output.contains("1 stack, 63 measures, means of 2 draws: 0 worse, 0 better, 0 moved"))
    #expect(folder.contents(of: "Results") == ["gate"])

    try await writeStack("child-of-main")
    let changed = try await gate()
    #expect(changed.status == 2)
    #expect(
      changed.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").hasPrefix(
        "Changed since the baseline, and judged: "
          + "import: the stack: worker-merge/notification in the baseline, child-of-main now "), "\(changed)")
    #expect(changed.errors.count == 1 && changed.errors[0].hasSuffix(" of 1 stack worse than in gate-baseline"))

    try write("topology: stack.yaml, rows: 130, batch-size: 40")
    let question = try await gate()
    #expect(question.status == 1)
    #expect(question.errors == ["error: import: --rows: 120 in the baseline, 130 now"])
  }

  @Test func `a limit that is not kept ends with status 2 in each format`() async throws {
    try await writeStack("all-main")
    try write(limits: "sql-on-main: 0")
    for (format, start) in [
      ("text", "Limits that are not kept, run import:\n"), ("markdown", "### Stackbench gate: a limit is not kept\n"),
      ("junit", "<?xml"), ("json", "{"), ("github-action-benchmark", "["), ("bencher", "{"),
    ] {
      let outcome = try await gate("--format", format)
      #expect(outcome.status == 2)
      #expect(outcome.output.hasPrefix(start), "\(outcome)")
      #expect(outcome.errors.count == 1)
      #expect(outcome.errors[0].hasSuffix("above the limit of 0 (kept on 0 of 2, evidence: counter)"), "\(outcome)")
    }
  }

  @Test func `a live run is held to its limits, and not to the baseline`() async throws {
    try write(
      "machine: live, trials: 2, warmup: 0, idle-seconds: 0, rows: 50, batch-size: 50, topology: all-main",
      limits: "import: 3600, sql-on-main: 0")
    let outcome = try await gate()
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.output.contains("Gate: worse; 1 run: 1 of 2 limits kept\n"), "\(outcome)")
    #expect(outcome.output.contains(" 2 of 2 live\n"))
    #expect(outcome.errors.count == 1 && outcome.errors[0].contains(" of the trials, above the limit of 0 "))
  }

  @Test func `mistakes in the file end with status 64 and name their line`() async throws {
    for (settings, limits, message) in [
      ("rows: 50", "hitch: -5", "gate.yaml:5: runs.import.limits.hitch: -5 is negative; use 0 to "),
      ("rows: 50", "hitch: ", "gate.yaml:5: runs.import.limits.hitch: empty; use a number of ms/s"),
      ("rows: 50", "stal: 5", "gate.yaml:5: runs.import.limits.stal: not a measure whose smaller values are better; "),
      ("rows: 50, list: Albm", "hitch: 5", "gate.yaml:4: --list Albm: "),
      ("rows: 50, topology: stak.yaml", "hitch: 5", "gate.yaml:4: runs.import.settings.topology: stak.yaml: "),
      ("rows: 50, profile: iphone-16s", "hitch: 5", "gate.yaml:4: "),
    ] {
      try write(settings, limits: limits)
      let outcome = try await gate()
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.errors.count == 1 && outcome.errors[0].hasPrefix("error: \(message)"), "\(outcome.errors)")
    }
    let missing = try await gate("nothing.yaml")
    #expect(missing.status == 64)
    #expect(
      missing.errors == [
        "error: nothing.yaml: cannot be read: No such file or directory; use the path of a gate in YAML"
      ])
    let nowhere = try await gate("no/gate.yaml")
    #expect(nowhere.status == 64 && nowhere.errors.count == 1, "\(nowhere)")
  }
}
