import Metrics
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
