import Metrics
import Testing

@Suite struct PublishedOrderTests {
  private func order(
    _ relation: PublishedOrder.Relation, _ first: Int64, _ second: Int64, _ low: Int64, _ high: Int64?
  ) -> PublishedOrder {
    PublishedOrder(
      "order", relation: relation, of: first, to: second,
      in: PublishedOrder.Range(lowPartsPerMillion: low, highPartsPerMillion: high), isRequired: true)
  }

  /// A relation with figures at an end of its range, and just beyond.
  struct Edge: Sendable {
    let relation: PublishedOrder.Relation
    let range: (low: Int64, high: Int64?)
    let inside: (Int64, Int64)
    let outside: (Int64, Int64)
  }

  static let edges = [
    Edge(relation: .ratio, range: (1_100_000, 1_400_000), inside: (11_000, 10_000), outside: (10_999, 10_000)),
    Edge(relation: .ratio, range: (1_100_000, 1_400_000), inside: (14_000, 10_000), outside: (14_001, 10_000)),
    Edge(relation: .ratio, range: (1_000_001, nil), inside: (1_000_001, 1_000_000), outside: (1, 1)),
    Edge(relation: .saving, range: (100_000, 250_000), inside: (9_000, 10_000), outside: (9_001, 10_000)),
    Edge(relation: .saving, range: (100_000, 250_000), inside: (7_500, 10_000), outside: (7_499, 10_000)),
    Edge(relation: .change, range: (-250_000, 250_000), inside: (12_500, 10_000), outside: (12_501, 10_000)),
    Edge(relation: .change, range: (-250_000, 250_000), inside: (7_500, 10_000), outside: (7_499, 10_000)),
  ]

  @Test(arguments: edges) func `a range includes both of its ends`(edge: Edge) {
    #expect(order(edge.relation, edge.inside.0, edge.inside.1, edge.range.low, edge.range.high).passed)
    #expect(!order(edge.relation, edge.outside.0, edge.outside.1, edge.range.low, edge.range.high).passed)
  }

  @Test func `a ratio to zero has a nil value and fails`() {
    let order = order(.ratio, 5, 0, 0, nil)
    #expect(order.valuePartsPerMillion == nil)
    #expect(!order.passed)
  }

  @Test func `figures as long as days are compared exactly`() {
    let day: Int64 = 86_400_000_000_000
    #expect(order(.ratio, 7 * day, 3 * day, 0, nil).valuePartsPerMillion == 2_333_333)
  }
}
