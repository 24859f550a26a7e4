import Metrics
import OutputFiles
import Reporting
import Testing

@Suite struct KilledTableTests {
  private static func record(_ trial: Int, lost: Int = 0, consistent: Int = 1) -> KilledRecord {
    var record = KilledRecord(topology: "three-tier", variant: nil, trial: trial, killNanoseconds: 500_400_000)
    record.payloadsArrivedCount = 9
    record.payloadsVisibleCount = 7
    record.payloadsDurableCount = 4
    record.rowsLostCount = lost + 250
    record.rowsVisibleLostCount = lost
    record.payloadsVisibleLostCount = lost / 500
    record.editsAcknowledgedCount = 2
    record.editsLostCount = 1
    record.commitsAcknowledgedCount = 5
    record.rowsCommittedLostCount = 3
    record.unitsHalfWrittenCount = 2
    record.integrityProblemsCount = 4
    record.consistent = consistent
    return record
  }

  @Test func `killed trials are read back as they were written`() throws {
    var child = Self.record(1, lost: 1_500, consistent: 0)
    child.topology = "reversed-parent"
    child.variant = "child"
    let records = [Self.record(2), child]
    let text = KilledTable.csv(records).text
    #expect(try KilledTable.records(in: CSV(parsing: text, path: "killed.csv"), path: "killed.csv") == records)
  }

  @Test(
    arguments: [
      (
        \KilledRecord.payloadsVisibleCount, 10,
        "payloads_visible_count: 10 is more than payloads_arrived_count; use 0 to 9"
      ),
      (\.payloadsDurableCount, 10, "payloads_durable_count: 10 is more than payloads_arrived_count; use 0 to 9"),
      (\.rowsVisibleLostCount, 1_800, "rows_visible_lost_count: 1800 is more than rows_lost_count; use 0 to 1750"),
      (\.payloadsVisibleLostCount, 8, "payloads_visible_lost_count: 8 is more than payloads_visible_count; use 0 to 7"),
      (\.rowsVisibleLostCount, 2, "payloads_visible_lost_count: 3 is more than rows_visible_lost_count; use 0 to 2"),
      (\.editsLostCount, 3, "edits_lost_count: 3 is more than edits_acknowledged_count; use 0 to 2"),
      (\.rowsLostCount, -1, "rows_lost_count: -1 is out of range; use 0 to 1000000000000000"),
    ] as [(WritableKeyPath<KilledRecord, Int> & Sendable, Int, String)])
  func `counts that contradict each other are refused with their line and column`(
    count: WritableKeyPath<KilledRecord, Int> & Sendable, value: Int, message: String
  ) throws {
    var damaged = Self.record(2, lost: 1_500)
    damaged[keyPath: count] = value
    let csv = KilledTable.csv([Self.record(1), damaged])
    let error = #expect(throws: FileError.self) { try KilledTable.records(in: csv, path: "killed.csv") }
    #expect(error?.description == "killed.csv:3: \(message)")
  }

  @Test func `a topology's line tells its worst trial`() {
    #expect(
      KilledPage(records: [Self.record(1), Self.record(2, lost: 1_500)]).page.terminal()
        == "three-tier: killed at 500 ms (worst of 2): 3 payloads (1500 rows) shown and lost, "
        + "250 rows arrived, not shown and lost, 1 of 2 edits lost, store consistent\n")
    #expect(
      KilledPage(records: [Self.record(1, consistent: 0), Self.record(2, lost: 500)]).page.terminal().contains(
        "NOT CONSISTENT"))
    #expect(KilledPage(records: []).page.terminal() == "No app was killed.\n")
  }
}
