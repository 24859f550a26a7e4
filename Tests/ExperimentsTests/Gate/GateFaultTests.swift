import Foundation
import Metrics
import Reporting
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments

/// Tests that the gate finds an engine that does too much work, and names that work.
@Suite(.serialized) struct GateFaultTests {
  private let gates: GateFolder

  init() throws {
    gates = try GateFolder()
  }

  private func gate(_ flags: String, _ fault: EngineFault?, draws: Int = 0, output: String = "fresh") throws -> Gate {
    try gates.write(plan: "draws: \(draws)\nruns:\n  small: \(flags)\n")
    return try gates.gate(fault, output: output)
  }

  /// Records a baseline with the unchanged engine, and compares the engine with the defect to it.
  private func report(_ flags: String, _ fault: EngineFault?, draws: Int = 0) async throws -> GateOutcome {
    _ = try await gate(flags, nil, draws: draws).record()
    return try await gate(flags, fault, draws: draws).report()
  }

  private static let small = "--rows 200 --existing-rows 100 --batch-size 50 --user-edit-interval 40"

  @Test func `the unchanged engine equals its baseline`() async throws {
    let report = try await report("--topology worker-merge --topology child-of-main \(Self.small)", nil)
    #expect(report.verdict == .equal)
    #expect(report.count(.tolerated) == 0)
  }

  @Test func `the gate finds an extra fault per merged object by its faults`() async throws {
    let report = try await report("--topology worker-merge \(Self.small)", .faultPerMergedObject)
    #expect(report.verdict == .worse, "\(report.mismatchLines)")
    let stack = try #require(report.comparisons.first?.stacks.first)
    #expect(worse(stack).isSuperset(of: ["main_cpu_ns", "main_busy_ns", "faults_fired_count"]))
    let faults = try #require(stack.explanation.counters.first { $0.name == "faults_fired_count" })
    let merged = try #require(stack.changes.first { $0.measure.name == "objects_merged_count" })
    // Deleted objects and those that the user has changed do not fire.
    #expect(faults.now - faults.before > merged.before * 8 / 10)
    #expect(faults.now - faults.before <= merged.before)
    #expect(stack.explanation.charges.contains { $0.work == "import faultFired" && $0.nanoseconds > 0 })
    let text = TerminalPage(GatePage(report, words: .standard, listsMismatches: false).page).text
    #expect(text.contains("worker-merge/notification"))
    #expect(text.contains("faults_fired_count \(Int(faults.before)) -> \(Int(faults.now))"))
    #expect(text.contains(" faultFired +"))
  }

  @Test func `the gate finds an extra fault per merged object in means over draws`() async throws {
    let report = try await report("--topology worker-merge \(Self.small)", .faultPerMergedObject, draws: 2)
    #expect(report.verdict == .worse, "\(report.mismatchLines)")
    // Both comparisons were made.
    #expect(report.drawCount == 4)
    let stack = try #require(report.comparisons.first?.stacks.first)
    #expect(worse(stack).isSuperset(of: ["main_cpu_ns", "main_busy_ns", "faults_fired_count"]))
    #expect(gates.folder.contents(of: "baseline/small")?.contains("floors.csv") == true)
    #expect(gates.folder.contents(of: "fresh/further/small")?.contains("draws.csv") == true)
  }

  @Test func `the gate finds an extra fetch per save by its statements and rows`() async throws {
    let report = try await report("--topology child-of-main \(Self.small)", .fetchPerSaveOnMain)
    #expect(report.verdict == .worse, "\(report.mismatchLines)")
    let stack = try #require(report.comparisons.first?.stacks.first)
    #expect(
      worse(stack).isSuperset(of: ["main_busy_ns", "main_fetch_ns", "sql_statements_count", "rows_fetched_count"]))
    let names = stack.explanation.counters.map(\.name)
    #expect(names.contains("sql_statements_count"))
    #expect(names.contains("rows_fetched_count"))
    // The number of fetched rows changes most. The saves on the main thread may be combined in another way than before.
    #expect(names.first == "rows_fetched_count")
    #expect(stack.explanation.charges.contains { $0.work.hasSuffix(" rowStepped") && $0.nanoseconds > 0 })
  }

  @Test func `the gate finds leaked objects by the heap`() async throws {
    let report = try await report("--topology all-main \(Self.small)", .everyObjectKept)
    #expect(report.verdict == .worse, "\(report.mismatchLines)")
    let stack = try #require(report.comparisons.first?.stacks.first)
    let heap = try #require(stack.changes.first { $0.measure.name == "heap_peak_bytes" })
    #expect(heap.verdict == .worse)
    #expect(heap.now > heap.before * 3 / 2)
    // Objects that exist already are not registered and read again.
    #expect(stack.explanation.counters.allSatisfy { $0.now < $0.before })
    #expect(stack.explanation.counters.first?.name == "faults_fired_count")
    let first = try #require(stack.explanation.charges.first)
    #expect(first.work == "import objectReleased")
    #expect(first.nanoseconds < 0)
  }

  @Test func `a failed trial is reported and leaves the baseline unchanged`() async throws {
    var gate = try gate("--topology all-main \(Self.small)", nil)
    gate.simulate = { _, _, _ in throw RunFailure.failed("all-main, trial 1: it hung") }
    let error = await #expect(throws: RunFailure.self) { try await gate.record() }
    #expect(error?.message == "small: all-main, trial 1: it hung; the baseline was not changed")
    #expect(gates.folder.contents(of: "baseline") == ["gate.yaml"])
    _ = try await self.gate("--topology all-main \(Self.small)", nil, output: "other").record()
    let report = try await gate.report()
    #expect(report.verdict == .incomparable)
    #expect(report.mismatchLines == ["small: all-main, trial 1: it hung"])
  }

  @Test func `unverified data is reported once and leaves the baseline unchanged`() async throws {
    let flags = "--topology all-main \(Self.small)"
    _ = try await gate(flags, nil).record()
    let recorded = try Data(contentsOf: URL(fileURLWithPath: "\(gates.baseline)/small/manifest.json"))
    var gate = try gate(flags, nil)
    let simulate = gate.simulate
    gate.simulate = { experiment, output, prefix in
      _ = try await simulate(experiment, output, prefix)
      let file = URL(fileURLWithPath: "\(output.path)/summary.csv")
      // The change affects the last column.
      let text = try String(contentsOf: file, encoding: .utf8).replacing(",1\r\n", with: ",0\r\n")
      try Data(text.utf8).write(to: file)
      return ["all-main, trial 1: its data did not verify: one row is missing"]
    }
    let report = try await gate.report()
    #expect(report.verdict == .incomparable)
    #expect(report.mismatchLines == ["small: all-main, trial 1: its data did not verify: one row is missing"])
    let error = await #expect(throws: RunFailure.self) { try await gate.record() }
    #expect(error?.kind == .failed)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: "\(gates.baseline)/small/manifest.json")) == recorded)
  }

  private func worse(_ stack: GateComparison.Stack) -> Set<String> { Set(stack.changes(.worse).map(\.measure.name)) }
}
