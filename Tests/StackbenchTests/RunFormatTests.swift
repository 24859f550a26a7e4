import Foundation
import Metrics
import Reporting
import TestSupport
import Testing

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the formats in which `run` prints results for programs.
@Suite(.serialized) struct RunFormatTests {
  /// Returns a made-up report on two stacks, of which one has all measures and the other only a few.
  private func report(_ flags: String...) throws -> ExperimentRun.Report {
    let experiment = try RunCommand.parse(flags + ["--output", "/results"]).experiment()
    let known = RunFormatTests.record("worker-merge", "notification", seed: .max) { measures in
      for (index, measure) in Measure.all.enumerated() { measures[keyPath: measure.keyPath] = Int64(1_000 + index) }
      measures.storeDigest = String(repeating: "0f", count: 32)
    }
    let unknown = RunFormatTests.record("three-tier", nil, seed: 1) { $0.importNanoseconds = -5 }
    var killed = KilledRecord(topology: "all-main", variant: nil, trial: 1, killNanoseconds: 500_000_000)
    killed.rowsLostCount = 250
    let isKilled = experiment.options.killAt != nil
    return ExperimentRun.Report(
      results: Results(
        experiment: experiment, words: .standard, fileSystem: "ext4",
        records: isKilled ? [] : [known, unknown], draws: [], killed: isKilled ? [killed] : [], start: .distantPast,
        end: .distantPast),
      failures: [])
  }

  private static func record(
    _ topology: String, _ variant: String?, seed: UInt64, _ measure: (inout TrialMeasures) -> Void
  ) -> TrialRecord {
    var measures = TrialMeasures()
    measures.verified = 1
    measure(&measures)
    return TrialRecord(
      identity: TrialIdentity(
        topology: topology, variant: variant, workload: "12", rows: 5_000, seed: seed, trial: 1,
        startedNanoseconds: 0),
      measures: measures)
  }

  @Test func `the JSON of a run is as reviewed`() throws {
    var report = try report()
    report.failures = ["three-tier, trial 2: it \"hung\""]
    try Snapshot.check(report.printed.text(.json), "run-json")
  }

  @Test func `the CSV of a run is as reviewed`() throws {
    try Snapshot.check(report().printed.text(.csv), "run-csv")
  }

  @Test func `the JSON and CSV of killed apps have the losses`() throws {
    let report = try report("--kill-at", "500")
    try Snapshot.check(report.printed.text(.json), "run-json-killed")
    #expect(try report.printed.text(.csv) == KilledTable.csv(report.results.killed).text)
  }

  @Test(arguments: [(DeterminismCheck.Outcome.same("yes"), true), (.different("no"), false)])
  func `the JSON has the outcome of the determinism check`(
    outcome: DeterminismCheck.Outcome, expected: Bool
  ) throws {
    var report = try report()
    report.determinism = outcome
    let document = try RunFormatTests.object(report.printed.text(.json))
    #expect(document["deterministic"] as? Bool == expected)
  }

  @Test func `every member of a stack is documented as a column`() throws {
    let document = try RunFormatTests.object(report().printed.text(.json))
    let stacks = try #require(document["stacks"] as? [[String: Any]])
    for stack in stacks { #expect(Set(stack.keys) == Set(SummaryTable.header)) }
    let help = Stackbench.helpMessage(for: RunCommand.self, columns: 10_000)
    for member in document.keys { #expect(help.contains(member), "\(member)") }
    for column in SummaryTable.textColumns { #expect(help.contains(column), "\(column)") }
  }

  fileprivate static func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}

// MARK: - The whole program

extension RunFormatTests {
  private func run(in folder: TemporaryFolder, _ flags: String...) async throws -> Program.Outcome {
    let outcome = try await Program.run(
      [
        "run", "--machine", "simulated", "--draws", "0", "--rows", "100", "--existing-rows", "50", "--topology",
        "worker-merge",
        "--topology", "three-tier", "--trials", "2", "--output", "\(folder.path)/results",
      ] + flags)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test func `standard output with the CSV format equals summary.csv`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await run(in: folder, "--format", "csv", "--check-determinism")
    #expect(outcome.output == (try String(contentsOfFile: "\(folder.path)/results/summary.csv", encoding: .utf8)))
    #expect(outcome.output.hasPrefix("topology,variant,"))
    #expect(try await run(in: folder, "--format", "csv", "--quiet").output.isEmpty)
  }

  @Test func `the JSON has every figure of summary.csv`() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await run(in: folder, "--format", "json", "--check-determinism")
    // The output can be parsed only if it contains no other text.
    let document = try RunFormatTests.object(outcome.output)
    #expect(document["output"] as? String == "\(folder.path)/results")
    #expect(document["deterministic"] as? Bool == true)
    #expect((document["failures"] as? [Any])?.isEmpty == true)
    #expect((document["killed"] as? [Any])?.isEmpty == true)
    let path = "\(folder.path)/results/summary.csv"
    let csv = try CSV(parsing: String(contentsOfFile: path, encoding: .utf8), path: path)
    let stacks = try #require(document["stacks"] as? [[String: Any]])
    #expect(csv.records.count == 2)
    #expect(stacks.count == csv.records.count)
    for (stack, record) in zip(stacks, csv.records) {
      for (column, field) in zip(csv.header, record) {
        let member = try #require(stack[column], "\(column)")
        let text = member is NSNull ? "" : SummaryTable.textColumns.contains(column) ? member as? String : "\(member)"
        #expect(text == field, "\(column)")
      }
    }
  }
}
