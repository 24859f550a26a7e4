import MachineCore
import Metrics
import Testing

@testable import Reporting

@Suite struct PublishedPageTests {
  private func comparison(total: Int64 = 83_000) -> PublishedComparison {
    func result(_ row: String, _ clock: PublishedClock, _ role: PublishedRole, _ published: Int64, _ simulated: Int64)
      -> PublishedResult
    {
      PublishedResult(
        PublishedResult.Name(table: "table", row: row, figure: clock.rawValue, topology: "all-main"), clock: clock,
        role: role,
        published: PublishedResult.Published(
          median: published * 1_000_000, least: published * 1_000_000, greatest: published * 1_000_000),
        overhead: 0, simulated: simulated * 1_000_000, bandPartsPerMillion: 350_000)
    }
    return PublishedComparison(
      table: "table", title: "rows that somebody measured", profile: "ipad-mini-ios-6",
      figures: [
        result("#3, a save each", .wall, .predicted, 83_000, total), result("#2", .mainCPU, .fitted, 270, 135),
      ],
      orders: [
        PublishedOrder(
          "total_3_to_2", relation: .ratio, of: total, to: 60_000,
          in: PublishedOrder.Range(lowPartsPerMillion: 1_100_000, highPartsPerMillion: 1_400_000), isRequired: true)
      ])
  }

  @Test func `published figures and simulated ones stand side by side`() {
    #expect(
      PublishedPage([comparison()], hasSummary: false).page.terminal() == """
        table, published and on profile ipad-mini-ios-6: rows that somebody measured

        row             figure   published     here error role      in band
        --------------- -------- --------- -------- ----- --------- -------
        #3, a save each wall        83.0 s   83.0 s  +0 % predicted yes
        #2              main-cpu  270.0 ms 135.0 ms -50 % fitted    NO

        order         here at least at most comes out
        ------------ ----- -------- ------- ---------
        total_3_to_2 1.383    1.100   1.400 yes

        fitted = the profile was fitted to the figure.
        1 of 1 orders come out.

        """)
  }

  @Test func `an order that does not come out is named`() {
    let text = PublishedPage([comparison(total: 60_000)], hasSummary: false).page.terminal()
    #expect(text.contains("0 of 1 orders come out; these do not: total_3_to_2.\n"))
  }

  @Test func `the table for programs has integers, one record for each figure`() {
    let csv = PublishedFigureTable.csv(of: [comparison(), comparison()])
    #expect(csv.header.joined(separator: ",").hasPrefix("table,row,figure,clock,role,published_ns,simulated_ns"))
    #expect(csv.records.count == 4)
    #expect(
      csv.records[1] == [
        "table", "#2", "main-cpu", "main-cpu", "fitted", "270000000", "135000000", "-500000", "0", "", "",
      ])
  }

  @Test func `the page has a table for each published table, and the summary`() {
    let page = PublishedPage([comparison()], hasSummary: true).page.markdown
    #expect(page.contains("| \\#2 | main-cpu | 270.0 ms | 135.0 ms | -50 % | fitted | **NO** |\n"))
    #expect(page.contains("| `total_3_to_2` | 1.383 | 1.100 | 1.400 | yes |\n"))
    #expect(page.hasSuffix("| predicted | 1 | - | 0 % | 1 |\n\n1 of 1 orders come out.\n"))
  }
}
