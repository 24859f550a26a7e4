import Metrics
import Testing

@testable import Reporting

@Suite struct CausePageTests {
  private static let causes: [CauseComparison] = {
    func measures(_ fetch: Int64, _ reset: Int64, _ busy: Int64) -> TrialMeasures {
      var measures = TrialMeasures()
      measures.mainFetchNanoseconds = fetch * 1_000
      measures.mainResetNanoseconds = reset * 1_000
      measures.mainBusyNanoseconds = busy * 1_000
      return measures
    }
    return CauseComparison.comparisons(of: [
      ValidationResult.Cell(
        workload: "inserts", topology: "per-view-controller", live: [measures(20_000, 900, 100_000)],
        predicted: measures(5_000, 0, 80_000), tick: 1)
    ])
  }()

  @Test func `causes are printed in milliseconds, without those that hardly count`() {
    let text = Page(sections: CausePage(Self.causes).sections).terminal()
    let lines = text.split(separator: "\n").map(String.init)
    let rows = lines.filter { $0.hasPrefix("per-view-controller ") }.map { $0.split(separator: " ").dropFirst() }
    let expected: [[Substring]] = [
      ["fetch", "20.0", "5.0", "-15.0", "-15.0"], ["busy", "100.0", "80.0", "-20.0", "-20.0"],
    ]
    #expect(rows.map(Array.init) == expected + expected)
    #expect(lines.contains("inserts:") && lines.contains("all workloads together:"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `the table holds every cause`() throws {
    let csv = try CSV(parsing: CauseTable.csv(of: Self.causes).text, path: CauseTable.fileName)
    #expect(csv.header == CauseTable.header)
    #expect(csv.records.count == 6)
    #expect(
      csv.records[1] == ["inserts", "per-view-controller", "reset", "900000", "0", "-900000", "-9000"])
    #expect(csv.records[4][0] == "all")
  }
}
