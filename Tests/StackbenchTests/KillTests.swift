import Foundation
import Metrics
import Reporting
import TestSupport
import Testing

/// Tests of runs whose app is killed while it works.
@Suite(.serialized) struct KillTests {
  private static let sizes = ["--rows", "1000", "--existing-rows", "150", "--batch-size", "50", "--trials", "1"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func killed(_ arguments: [String]) async throws -> [KilledRecord] {
    let results = "\(folder.path)/results"
    let outcome = try await Program.run(
      ["run", "--output", results, "--replace", "--idle-seconds", "0"] + Self.sizes + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.contents(of: "results") == ["killed.csv", "manifest.json"])
    let records = try ResultsFolder(path: results).killed()
    #expect(outcome.output.hasPrefix(TerminalPage(KilledPage(records: records).page).text + "\nResults: \(results)\n"))
    return records
  }

  private func isSound(_ record: KilledRecord) -> Bool {
    record.consistent == 1 && record.payloadsDurableCount <= record.payloadsArrivedCount
      && record.payloadsVisibleCount <= record.payloadsArrivedCount
      && record.rowsVisibleLostCount <= record.rowsLostCount
      && record.editsLostCount <= record.editsAcknowledgedCount
      && record.rowsCommittedLostCount == 0 && record.unitsHalfWrittenCount == 0 && record.integrityProblemsCount == 0
  }

  @Test func `the store of an app that the system kills has only whole units`() async throws {
    for moment in ["15", "120", "333.3"] {
      let records = try await killed(["--kill-at", moment, "--user-edit-interval", "20"])
      #expect(records.count == 6)
      #expect(records.allSatisfy(isSound), "\(records)")
      for record in records where record.topology == "all-main" {
        #expect(record.rowsVisibleLostCount == 0 && record.editsLostCount == 0, "\(record)")
      }
    }
  }

  @Test(arguments: ["live", "simulated"])
  func `a power cut keeps each commit that was synced`(machine: String) async throws {
    let records = try await killed([
      "--machine", machine, "--file-fault", "power-cut:150", "--synchronous", "full", "--user-edit-interval", "20",
    ])
    #expect(records.count == 6 && records.allSatisfy(isSound), "\(records)")
    #expect(records.contains { $0.commitsAcknowledgedCount > 0 && $0.payloadsDurableCount < 20 })
  }

  @Test(arguments: ["live", "simulated"])
  func `a run whose files have a fault names the fault, the store and what it holds`(machine: String) async throws {
    let outcome = try await Program.run(
      [
        "run", "--machine", machine, "--output", "\(folder.path)/results", "--idle-seconds", "0", "--topology",
        "three-tier",
      ]
        + ["--file-fault", "full:60"] + Self.sizes)
    #expect(outcome.status == 1 && outcome.errors.count == 1)
    let message = try #require(outcome.errors.first)
    #expect(
      message.contains("three-tier, trial 1: --file-fault full:60: ") && message.contains("store.sqlite")
        && message.contains("; its store has whole saves, with all payloads and edits whose commit had returned: ")
        && message.hasSuffix("; leave --file-fault full:60 out to import to the end"), "\(message)")
  }

  @Test func `a fault beyond the last call ends with the number of calls`() async throws {
    let outcome = try await Program.run(
      ["run", "--machine", "simulated", "--output", "\(folder.path)/results", "--topology", "three-tier"]
        + ["--file-fault", "power-cut:100000"] + Self.sizes)
    #expect(outcome.status == 1)
    #expect(outcome.errors.first?.contains(#/made \d+ such calls, .* use 1 to \d+/#) == true, "\(outcome.errors)")
  }

  @Test func `a simulated run of killed apps has a record for each stack`() async throws {
    let records = try await killed(["--machine", "simulated", "--kill-at", "120", "--topology", "three-tier"])
    #expect(records.map(\.topology) == ["three-tier"] && records.allSatisfy(isSound), "\(records)")
  }
}
