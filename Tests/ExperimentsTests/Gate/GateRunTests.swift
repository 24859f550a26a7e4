import Foundation
import InputFiles
import MachineCore
import Metrics
import Reporting
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

/// Runs of a gate with settings and limits of a plan: their reading, and their judgement with and without a baseline.
@Suite struct GateRunTests {
  private let gates: GateFolder

  init() throws {
    gates = try GateFolder()
  }

  // MARK: Reading

  @Test func `a run has settings, limits with units and shares, and tolerances`() throws {
    let plan = try GatePlan(
      yaml: """
        runs:
          import:
            settings: {rows: 500, topology: [worker-merge, three-tier], merge-policy: overwrite, draws-within: 5}
            limits:
              hitch: {at-most: 5 ms/s, on: 90 %}
              stall: 12.5 ms
              import: 2
              sql-on-main: 0
              faults_fired_count: {at-most: 100}
            tolerances: {default: 3}
        """, place: "gate.yaml")
    let run = try #require(plan.runs.first)
    #expect(run.flagNames == ["rows", "topology", "merge-policy", "draws-within"])
    #expect(run.limits.map(\.limit.most) == [5_000, 12_500_000, 2_000_000_000, 0, 100])
    #expect(run.limits.map(\.share) == [9_000, 10_000, 10_000, 10_000, 10_000])
    #expect(
      run.limits.map(\.limit.measure.name) == [
        "hitch_us_per_s", "stall_ns_max", "import_ns", "main_statements_count", "faults_fired_count",
      ])
    #expect(run.tolerances?.standard == Tolerance(partsPerMillion: 30_000))
    let experiment = try run.experiment(output: ".", draws: 1..<11)
    #expect(experiment.draws == 10 && experiment.simulation?.drawPercent == 5)
    #expect(experiment.topologies.map(\.id) == ["worker-merge", "three-tier"])
  }

  @Test func `devices are drawn from the profile's ranges, and a live run is measured`() throws {
    let plan = try GatePlan(
      yaml: """
        runs:
          ranges: {settings: {rows: 500}}
          live: {settings: {rows: 500, machine: live, trials: 3}, limits: {hitch: 5}}
        """, place: "gate.yaml")
    #expect(try plan.runs[0].experiment(output: ".", draws: 1..<3).simulation?.drawPercent == nil)
    let live = try plan.runs[1].experiment(output: ".", draws: 1..<3)
    #expect(live.machine == .live && live.draws == 0 && live.trials == 3)
  }

  @Test(arguments: [
    ("settings: {rows: 5}\n    limits: {hitch: -1}", "2: runs.a.limits.hitch: -1 is negative; use 0 to "),
    ("settings: {rows: 5}\n    limits: {hitch: }", "2: runs.a.limits.hitch: empty; use a number of ms/s"),
    ("settings: {rows: 5}\n    limits: {stall: 5 s}", "2: runs.a.limits.stall: 5 s has another unit; use a number of"),
    ("settings: {rows: 5}\n    limits: {commits_count: 5 ms}", "2: runs.a.limits.commits_count: 5 ms has another unit"),
    ("settings: {rows: 5}\n    limits: {import: 1e7}", "2: runs.a.limits.import: 1e7 has another unit; use a "),
    ("settings: {rows: 5}\n    limits: {import: 10000000}", "2: runs.a.limits.import: 10000000 is out of range; "),
    ("settings: {rows: 5}\n    limits: {stall: fast}", "2: runs.a.limits.stall: fast is not a number; use 0 to "),
    (
      "settings: {rows: 5}\n    limits: {stalls: 5}",
      "2: runs.a.limits.stalls: not a measure whose smaller values are better; did you mean stall? use one of hitch, "
    ),
    ("settings: {rows: 5}\n    limits: {rows_per_second: 5}", "2: runs.a.limits.rows_per_second: not a measure whose "),
    ("settings: {rows: 5}\n    limits: {heap_peak_bytes: 5}", "2: runs.a.limits.heap_peak_bytes: a simulated heap is "),
    ("settings: {rows: 5}\n    limits: {}", "2: runs.a.limits: empty; use hitch: 5 ms/s and the like"),
    (
      "settings: {rows: 5}\n    limits: {hitch: 5, hitch_us_per_s: 5}",
      "2: runs.a.limits.hitch_us_per_s: a limit on the measure of hitch; use one of them"
    ),
    (
      "settings: {rows: 5}\n    limits: {hitch: {at-most: 5, on: 0}}",
      "2: runs.a.limits.hitch.on: 0 is no share of devices;"
    ),
    (
      "settings: {rows: 5}\n    limits: {hitch: {at-most: 5, on: 101 %}}",
      "2: runs.a.limits.hitch.on: 101 is out of range; use 0 to 100"
    ),
    ("settings: {rows: 5}\n    limits: {hitch: {on: 90}}", "2: runs.a.limits.hitch.at-most: missing"),
    (
      "settings: {row: 5}\n    limits: {hitch: 5}",
      "1: runs.a.settings.row: not known; did you mean rows? use the name of a flag"
    ),
    ("settings: {rows: many}\n    limits: {hitch: 5}", "1: runs.a.settings.rows: many: not a whole number; use 1 to "),
    ("settings: {topology: chld-of-main}", "1: runs.a.settings.topology: chld-of-main: not known; did you mean child"),
    ("limits: {hitch: 5}", "1: runs.a.settings: missing"),
    ("setting: {rows: 5}", "1: runs.a.setting: not known; did you mean settings? use one of settings, limits,"),
    (
      "settings: {machine: live, trials: 3}",
      "1: runs.a: has no limits; a live run is not compared with a baseline, so that it needs limits"
    ),
  ])
  func `a damaged run throws an error with line and key`(text: String, message: String) {
    let error = #expect(throws: YAMLError.self) {
      try GatePlan(yaml: "runs:\n  a:\n    \(text)", place: "gate.yaml")
    }
    // Line numbers are counted from the line of the first key.
    let lines = message.split(separator: ":", maxSplits: 1)
    let line = (Int(lines[0]) ?? 0) + 2
    #expect(error?.description.hasPrefix("gate.yaml:\(line):\(lines[1])") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("{rows: 50, draws: 5}", "gate.yaml:3: --draws: cannot be a flag of one of the gate's runs; leave it out"),
    ("{rows: 50, kill-at: 5}", "gate.yaml:3: --kill-at: cannot be a flag of one of the gate's runs; leave it out"),
    ("{rows: 50, strategy: batch-insert}", "gate.yaml:3: --strategy batch-insert: batch inserts cannot set the links"),
    ("{rows: 50, trials: 2, repeat-limit: 3, merge: none, topology: all-main}", "gate.yaml:3: --merge none: concerns "),
  ])
  func `settings that contradict each other are refused with their line`(settings: String, message: String) throws {
    let path = try gates.folder.write("runs:\n  a:\n    settings: \(settings)\n", to: "gate.yaml")
    let failure = #expect(throws: RunFailure.self) { try GatePlan(at: path, place: "gate.yaml") }
    #expect(failure?.kind == .badUsage)
    #expect(failure?.message.hasPrefix(message) == true, "\(String(describing: failure))")
  }

  @Test func `a limit on what a run does not have is refused with its line`() async throws {
    let limits = "limits: {in_flight_failed_count: 5}"
    try gates.write(plan: "draws: 0\nruns:\n  a:\n    settings: {rows: 50, topology: all-main}\n    \(limits)\n")
    let failure = await #expect(throws: RunFailure.self) { try await gates.gate().report() }
    #expect(failure?.kind == .badUsage)
    #expect(
      failure?.message.hasPrefix(
        "\(gates.baseline)/gate.yaml:5: runs.a.limits.in_flight_failed_count: in_flight_failed_count is not measured in "
          + "this run of all-main; ") == true, "\(String(describing: failure))")
  }

  // MARK: Judging

  private static func plan(_ settings: String, limits: String = "sql-on-main: 0") -> String {
    """
    draws: 0
    runs:
      import:
        settings: {existing-rows: 60, mix: "100:0:0", user-edit-interval: 0, \(settings)}
        limits: {\(limits)}
    """
  }

  @Test func `a first run is held to its limits, and a counter decides about SQL on main`() async throws {
    try gates.write(
      plan: Self.plan(
        "rows: 120, batch-size: 40, topology: [worker-merge, all-main]",
        limits: "sql-on-main: 0, sql_statements_count: 10000"))
    let first = try await gates.gate().report()
    #expect(first.verdict == .worse)
    #expect(first.unrecorded == ["import"])
    #expect(first.comparisons.map(\.run) == ["import"] && first.changeCount == 0)
    let results = try #require(first.comparisons.first?.limits)
    #expect(results.map { $0.stack.split(separator: "/")[0] } == ["worker-merge", "all-main"].flatMap { [$0, $0] })
    #expect(results.map(\.isKept) == [true, true, false, true])
    // No statement of worker-merge runs on the main thread.
    #expect(results[0].value == 0 && results[2].value > 0)
    #expect(results.allSatisfy { $0.evidence == .counter && $0.count == 1 })
  }

  @Test func `a stack or a setting that has changed is judged, and another question is not`() async throws {
    func plan(_ settings: String) -> String { Self.plan("workload: flat, \(settings)", limits: "hitch: 1000") }
    try gates.write(plan: plan("rows: 120, batch-size: 40, topology: worker-merge"))
    _ = try await gates.gate().record()
    #expect(try await gates.gate().report().verdict == .equal)

    try gates.write(plan: plan("rows: 120, batch-size: 40, topology: child-of-main"))
    let stack = try await gates.gate().report()
    #expect(stack.verdict == .worse && stack.brokenLimits.isEmpty)
    #expect(
      stack.changedLines == ["import: the stack: worker-merge/notification in the baseline, child-of-main now"])
    let changes = try #require(stack.comparisons.first?.stacks.first?.changes(.worse))
    #expect(changes.contains { $0.measure.name == "main_busy_ns" && $0.evidence == .oneDevice })
    #expect(changes.contains { $0.measure.name == "perform_and_wait_count" && $0.evidence == .counter })

    try gates.write(plan: plan("rows: 120, batch-size: 10, topology: worker-merge"))
    let setting = try await gates.gate().report()
    #expect(setting.verdict == .worse, "\(setting.mismatchLines)")
    #expect(
      setting.changedLines == [
        "import: --batch-size: 40 in the baseline, 10 now", "import: --save-every: 40 in the baseline, 10 now",
      ])

    try gates.write(plan: plan("rows: 130, batch-size: 40, topology: child-of-main"))
    let question = try await gates.gate().report()
    #expect(question.verdict == .incomparable)
    #expect(question.mismatchLines == ["import: --rows: 120 in the baseline, 130 now"])
  }

  @Test func `a live run is not recorded, and a gate of live runs has no baseline`() async throws {
    try gates.write(plan: "runs: {a: {settings: {machine: live, trials: 1, rows: 50}, limits: {hitch: 5}}}")
    let failure = await #expect(throws: RunFailure.self) { try await gates.gate().record() }
    #expect(failure?.kind == .badUsage)
    #expect(failure?.message.hasPrefix("all runs are live, ") == true)
  }
}
