import Foundation
import Reporting
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

/// Tests of the gate with two small runs and with baselines that it cannot use.
@Suite struct GateTests {
  private let gates: GateFolder
  private var baseline: String { gates.baseline }

  private static let plan = """
    draws: 0
    runs:
      saves: --topology child-of-main --topology worker-merge --rows 120 --existing-rows 60 --batch-size 40
      screens: --topology worker-merge --rows 80 --existing-rows 40 --batch-size 40 --view-controllers 2
    """

  /// A folder with the baseline of both runs, which is recorded once for all tests.
  private static let recorded = Task {
    let gates = try GateFolder()
    try gates.write(plan: plan)
    let said = try await gates.gate().record()
    #expect(said == "Baseline: 2 runs with 3 stacks recorded in \(gates.baseline); commit it")
    return gates
  }

  init() async throws {
    gates = try GateFolder()
    let recorded = try await Self.recorded.value
    try FileManager.default.removeItem(atPath: gates.baseline)
    try FileManager.default.copyItem(atPath: recorded.baseline, toPath: gates.baseline)
  }

  /// Changes a field in a table of the baseline.
  private func edit(_ file: String, _ column: String, row: Int = 1, _ change: (String) -> String) throws {
    let url = URL(fileURLWithPath: "\(baseline)/\(file)")
    var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\r\n")
    let place = try #require(lines[0].components(separatedBy: ",").firstIndex(of: column))
    var fields = lines[row].components(separatedBy: ",")
    fields[place] = change(fields[place])
    lines[row] = fields.joined(separator: ",")
    try Data(lines.joined(separator: "\r\n").utf8).write(to: url)
  }

  /// Changes the text of a file of the baseline.
  private func replace(_ old: String, by new: String, in file: String) throws {
    let url = URL(fileURLWithPath: "\(baseline)/\(file)")
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(old))
    try Data(text.components(separatedBy: old).joined(separator: new).utf8).write(to: url)
  }

  private func text(_ outcome: GateOutcome) -> String {
    TerminalPage(GatePage(outcome, words: .standard, listsMismatches: false).page).text
  }

  /// Returns the failure of a gate that reads its baseline, before it simulates a run.
  private func failure(on path: String? = nil) async -> RunFailure? {
    await #expect(throws: RunFailure.self) { try await gates.gate(on: path).report() }
  }

  // MARK: Verdicts

  @Test func `the gate reports equal, worse and better measures`() async throws {
    #expect(gates.folder.contents(of: "baseline") == ["gate.yaml", "saves", "screens"])
    for run in ["saves", "screens"] {
      #expect(gates.folder.contents(of: "baseline/\(run)") == ["manifest.json", "summary.csv", "trials.csv"])
    }
    let equal = try await gates.gate().report()
    #expect(equal.verdict == .equal)
    #expect(
      text(equal)
        == "Gate: equal; 2 runs, 3 stacks, 189 measures: 0 worse, 0 better, 0 moved within their floors, 189 equal\n")

    // The baseline is changed, as if the import had been faster.
    try edit("saves/trials.csv", "import_ns") { "\((Int64($0) ?? 0) * 9 / 10)" }
    let worse = try await gates.gate().report()
    #expect(worse.verdict == .worse)
    #expect(text(worse).contains("Worse, run saves:"))
    #expect(text(worse).contains("child-of-main\n  import_ns "))
    #expect(worse.count(.worse) == 1 && worse.stackCount(with: .worse) == 1)

    // The baseline is also changed as if the stack had used more memory.
    try edit("screens/trials.csv", "heap_peak_bytes") { "\((Int64($0) ?? 0) * 2)" }
    let both = try await gates.gate().report()
    #expect(both.verdict == .worse && both.count(.better) == 1)

    // A tolerance that accepts the first change leaves only the second one.
    try gates.write(plan: "tolerances: {import_ns: 20}\n" + Self.plan)
    let better = try await gates.gate().report()
    #expect(better.verdict == .better)
    #expect(text(better).contains("Better, run screens:"))
    #expect(
      text(better).contains("Better than the baseline: run 'make baseline' and commit the result to keep it"))
  }

  // MARK: Bad baselines

  @Test func `a folder with one run's results is refused as a baseline`() async throws {
    #expect(
      await failure(on: "\(baseline)/saves")
        == .failed(
          "--baseline \(baseline)/saves: holds the results of one run, not a baseline, which has a folder for each "
            + "of the gate's runs; use the one that 'make baseline' has made"))
  }

  @Test func `a baseline of another configuration or profile is refused before the runs`() async throws {
    let own = HostFacts.current.configuration
    let other = own == "debug" ? "release" : "debug"
    try replace("\"\(own)\"", by: "\"\(other)\"", in: "saves/manifest.json")
    try replace("\"\(own)\"", by: "\"\(other)\"", in: "screens/manifest.json")
    try replace("\"profile_version\" : ", by: "\"profile_version\" : 9", in: "screens/manifest.json")
    var gate = try gates.gate()
    gate.simulate = { _, _, _ in throw RunFailure.failed("a run was simulated") }
    let lines = try await gate.report().mismatchLines
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("all runs: configuration: \(other) in the baseline, \(own) now") == true)
    #expect(lines.last?.hasPrefix("screens: profile_version: 9") == true)
  }

  @Test func `swapped runs are reported by their different flags`() async throws {
    try FileManager.default.moveItem(atPath: "\(baseline)/saves", toPath: "\(baseline)/other")
    try FileManager.default.moveItem(atPath: "\(baseline)/screens", toPath: "\(baseline)/saves")
    try FileManager.default.moveItem(atPath: "\(baseline)/other", toPath: "\(baseline)/screens")
    let lines = try await gates.gate().report().mismatchLines
    #expect(lines.contains("saves: --rows: 80 in the baseline, 120 now"))
    #expect(lines.contains("screens: --view-controllers: 1 in the baseline, 2 now"))
  }

  @Test func `missing and unknown runs are reported, and recording repairs the baseline`() async throws {
    try FileManager.default.moveItem(atPath: "\(baseline)/screens", toPath: "\(baseline)/windows")
    #expect(
      try await gates.gate().report().mismatchLines == [
        "screens: one of the gate's runs, but not in the baseline",
        "windows: in the baseline, but not one of the gate's runs",
      ])
    _ = try await gates.gate().record()
    #expect(gates.folder.contents(of: "baseline") == ["gate.yaml", "saves", "screens"])
  }

  @Test func `a damaged baseline is refused with file and line before the runs`() async throws {
    try edit("screens/summary.csv", "import_ns") { _ in "-7" }
    #expect(
      await failure()
        == .usage(
          "\(baseline)/screens/summary.csv:2: import_ns: -7 is out of range; use 0 to 1000000000000000; restore it, or "
            + "record the baseline again with 'make baseline'"))
    try edit("screens/summary.csv", "import_ns") { _ in "7" }
    try replace("\"schema\" : 2", by: "\"schema\" : 3", in: "saves/manifest.json")
    let newer = await failure()
    #expect(newer?.kind == .failed)
    #expect(
      newer?.message.hasPrefix("\(baseline)/saves/manifest.json: schema 3, written by stackbench ") == true)
  }

  @Test func `a baseline with unverified data is reported`() async throws {
    try edit("saves/summary.csv", "verified", row: 2) { _ in "0" }
    #expect(
      try await gates.gate().report().mismatchLines == [
        "saves: worker-merge/notification: its data did not verify in the baseline"
      ])
  }
}
