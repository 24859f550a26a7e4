import Foundation
import Metrics
import Reporting
import TestSupport
import Testing

/// Tests of runs whose app is killed while it works, on both machines.
@Suite(.serialized) struct KillTests {
  private static let sizes = ["--rows", "1000", "--existing-rows", "150", "--batch-size", "50", "--trials", "1"]
  private static let rooted = ["--topology", "three-tier", "--topology", "reversed-parent"]

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
  }

  @Test(arguments: ["live", "simulated"])
  func `the store of a killed app has only whole units`(machine: String) async throws {
    for moment in ["15", "120", "333.3"] {
      let records = try await killed(["--machine", machine, "--kill-at", moment, "--user-edit-interval", "20"])
      #expect(records.count == 6)
      #expect(records.allSatisfy(isSound), "\(records)")
      for record in records where record.topology == "all-main" {
        #expect(record.rowsVisibleLostCount == 0 && record.editsLostCount == 0, "\(record)")
      }
    }
  }

  @Test func `an app killed after its last save loses no data`() async throws {
    let records = try await killed(["--machine", "simulated", "--kill-at", "60000"])
    #expect(records.count == 6)
    for record in records {
      #expect(isSound(record))
      // The thread that kills the app must be woken first, which takes some time.
      #expect((60_000_000_000..<60_000_100_000).contains(record.killNanoseconds))
      #expect(record.payloadsArrivedCount == 20 && record.payloadsDurableCount == 20)
      #expect(record.rowsLostCount == 0 && record.editsLostCount == 0)
    }
  }

  @Test func `saving at the end loses the same shown and edited rows each time`() async throws {
    let arguments = ["--machine", "simulated", "--kill-at", "1000", "--arrival-interval", "100"] + Self.rooted
    func lost(_ storeSave: String) async throws -> [KilledRecord] {
      try await killed(arguments + ["--store-save", storeSave])
    }
    let atEnd = try await lost("at-end")
    #expect(try await lost("at-end") == atEnd)
    let immediate = try await lost("immediate")
    #expect(atEnd.map(\.payloadsDurableCount) == [0, 0])
    #expect(atEnd.allSatisfy { $0.editsAcknowledgedCount > 0 && $0.editsLostCount > 0 })
    // A main context that pushes has shown the rows that are lost. One that merges saves has shown no such rows.
    #expect(atEnd[0].rowsVisibleLostCount > 0 && atEnd[1].rowsVisibleLostCount == 0)
    for (late, early) in zip(atEnd, immediate) {
      #expect(isSound(late) && isSound(early))
      #expect(late.rowsLostCount > early.rowsLostCount && late.editsLostCount >= early.editsLostCount)
    }
  }
}
