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

  @Test func `a simulated run of killed apps has a record for each stack`() async throws {
    let records = try await killed(["--machine", "simulated", "--kill-at", "120", "--topology", "three-tier"])
    #expect(records.map(\.topology) == ["three-tier"] && records.allSatisfy(isSound), "\(records)")
  }
}
