import MachineCore
import Metrics
import Testing

@Suite struct PublishedComparisonTests {
  private func result(
    _ row: String, clock: PublishedClock = .wall, role: PublishedRole = .fitted, published: Int64, simulated: Int64,
    overhead: Int64 = 0
  ) -> PublishedResult {
    PublishedResult(
      PublishedResult.Name(table: "table", row: row, figure: clock.rawValue, topology: "all-main"), clock: clock,
      role: role,
      published: PublishedResult.Published(median: published, least: published, greatest: published),
      overhead: overhead, simulated: simulated, bandPartsPerMillion: 350_000)
  }

  private func comparison(_ figures: [PublishedResult], _ orders: [PublishedOrder] = []) -> PublishedComparison {
    PublishedComparison(table: "table", title: "a table", profile: "a phone", figures: figures, orders: orders)
  }

  private func order(_ simulated: Int64, isRequired: Bool) -> PublishedOrder {
    PublishedOrder(
      "order", relation: .ratio, of: simulated, to: 1,
      in: PublishedOrder.Range(lowPartsPerMillion: 2_000_000, highPartsPerMillion: nil), isRequired: isRequired)
  }

  @Test(arguments: [(135, 0, true), (136, 0, false), (65, 0, true), (64, 0, false), (36, 99, true), (37, 99, false)])
  func `a figure plus its overhead is compared with its band`(_ simulated: Int64, _ overhead: Int64, _ holds: Bool) {
    let result = result("row", published: 100, simulated: simulated, overhead: overhead)
    #expect(result.isWithinBand == holds)
    #expect(result.errorPartsPerMillion == (simulated + overhead - 100) * 10_000)
  }

  @Test func `a comparison fails only for required orders`() {
    #expect(comparison([], [order(2, isRequired: true), order(1, isRequired: false)]).passed)
    #expect(!comparison([], [order(1, isRequired: true)]).passed)
  }

  @Test func `a summary separates roles and clocks`() {
    let summary = PublishedSummary([
      comparison([result("a", published: 100, simulated: 110), result("b", published: 100, simulated: 70)]),
      comparison(
        [
          result("c", clock: .cpu, published: 100, simulated: 150),
          result("d", clock: .mainCPU, role: .predicted, published: 100, simulated: 96),
        ], [order(2, isRequired: true), order(1, isRequired: false)]),
    ])
    #expect(summary.fitted.count == 3 && summary.fitted.withinBandCount == 2)
    #expect(summary.fitted.meanWallErrorPartsPerMillion == 200_000)
    #expect(summary.fitted.meanCPUErrorPartsPerMillion == 500_000)
    #expect(summary.predicted.meanCPUErrorPartsPerMillion == 40_000)
    #expect(summary.predicted.meanWallErrorPartsPerMillion == nil)
    #expect(summary.orderCount == 2 && summary.passedOrderCount == 1)
  }
}
