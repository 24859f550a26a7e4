import Foundation
import MachineCore
import Metrics
import Testing

@Suite struct PublishedComparisonTests {
  /// Totals and main CPU in ms, in the order of the published table.
  private func comparison(_ figures: [(total: Int64, mainCPU: Int64)]) -> PublishedComparison {
    PublishedComparison(
      kugler2013: zip(PublishedFigures.kugler2013, figures).map { published, figures in
        .init(published, total: .milliseconds(figures.total), mainCPU: .milliseconds(figures.mainCPU))
      })
  }

  private static let published: [(total: Int64, mainCPU: Int64)] = PublishedFigures.kugler2013.map {
    ($0.totalMilliseconds, $0.mainCPUMilliseconds)
  }

  private func order(_ name: String, _ figures: [(total: Int64, mainCPU: Int64)]) throws -> PublishedComparison.Order {
    try #require(comparison(figures).orders.first { $0.name == name })
  }

  @Test func `the published figures themselves show every order`() {
    let comparison = comparison(Self.published)
    #expect(comparison.passed)
    #expect(
      comparison.orders.map(\.valuePartsPerMillion) == [
        1_238_805, 1_265_060, 1_567_164, 107_407_407, 1_482_758, 171_429, 149_254, 68_965, -148_149,
      ])
  }

  @Test func `two rows were fitted and three are predictions`() {
    let rows = comparison(Self.published).rows
    #expect(rows.filter { $0.role == .fitted }.map(\.topology) == ["worker-merge", "worker-merge"])
    #expect(rows.filter { $0.role == .predicted }.map(\.topology) == ["child-of-main", "three-tier", "three-tier"])
  }

  /// An order, and figures at, and just beyond, an end of its range: of #3, #5, #2, then #5 and #2 in batches.
  struct Edge: Sendable, CustomStringConvertible {
    let name: String
    let inside: [(total: Int64, mainCPU: Int64)]
    let outside: [(total: Int64, mainCPU: Int64)]
    var description: String { "\(name) \(inside)" }
  }

  static let edges: [Edge] = {
    func totals(_ list: [Int64]) -> [(total: Int64, mainCPU: Int64)] { list.map { ($0, 1) } }
    func mains(_ list: [Int64]) -> [(total: Int64, mainCPU: Int64)] { list.map { (1, $0) } }
    return [
      Edge(
        name: "total_child_of_main_to_worker_merge", inside: totals([11_000, 1, 10_000, 1, 1]),
        outside: totals([10_999, 1, 10_000, 1, 1])),
      Edge(
        name: "total_child_of_main_to_worker_merge", inside: totals([14_000, 1, 10_000, 1, 1]),
        outside: totals([14_001, 1, 10_000, 1, 1])),
      Edge(
        name: "total_three_tier_to_child_of_main", inside: totals([10_000, 10_001, 1, 1, 1]),
        outside: totals([10_000, 10_000, 1, 1, 1])),
      Edge(
        name: "total_three_tier_to_worker_merge", inside: totals([1, 13_000, 10_000, 1, 1]),
        outside: totals([1, 12_999, 10_000, 1, 1])),
      Edge(
        name: "total_three_tier_to_worker_merge", inside: totals([1, 18_000, 10_000, 1, 1]),
        outside: totals([1, 18_001, 10_000, 1, 1])),
      Edge(
        name: "main_cpu_three_tier_to_worker_merge", inside: mains([1, 50_000, 1_000, 1, 1]),
        outside: mains([1, 49_999, 1_000, 1, 1])),
      Edge(
        name: "main_cpu_child_of_main_to_three_tier", inside: mains([12_000, 10_000, 1, 1, 1]),
        outside: mains([11_999, 10_000, 1, 1, 1])),
      Edge(
        name: "main_cpu_child_of_main_to_three_tier", inside: mains([20_000, 10_000, 1, 1, 1]),
        outside: mains([20_001, 10_000, 1, 1, 1])),
      Edge(
        name: "total_cut_by_batching_three_tier", inside: totals([1, 10_000, 1, 9_000, 1]),
        outside: totals([1, 10_000, 1, 9_001, 1])),
      Edge(
        name: "total_cut_by_batching_worker_merge", inside: totals([1, 1, 10_000, 1, 7_500]),
        outside: totals([1, 1, 10_000, 1, 7_499])),
      Edge(
        name: "main_cpu_change_by_batching_three_tier", inside: mains([1, 10_000, 1, 12_500, 1]),
        outside: mains([1, 10_000, 1, 12_501, 1])),
      Edge(
        name: "main_cpu_change_by_batching_worker_merge", inside: mains([1, 1, 10_000, 1, 7_500]),
        outside: mains([1, 1, 10_000, 1, 7_499])),
    ]
  }()

  @Test(arguments: edges) func `an end of a range belongs to it and what lies beyond does not`(edge: Edge) throws {
    #expect(try order(edge.name, edge.inside).passed)
    #expect(try !order(edge.name, edge.outside).passed)
  }

  @Test func `one order that is missed fails the comparison`() {
    var figures = Self.published
    figures[0].total = 60_000
    let comparison = comparison(figures)
    #expect(!comparison.passed)
    #expect(comparison.orders.filter { !$0.passed }.map(\.name) == ["total_child_of_main_to_worker_merge"])
  }

  @Test func `a ratio to nothing is no number and does not pass`() throws {
    var figures = Self.published
    figures[2].mainCPU = 0
    let order = try order("main_cpu_three_tier_to_worker_merge", figures)
    #expect(order.valuePartsPerMillion == nil)
    #expect(!order.passed)
  }

  @Test func `figures of days are compared as exactly as those of milliseconds`() throws {
    let days = Self.published.map { ($0.total * 100_000, $0.mainCPU * 100_000) }
    #expect(comparison(days).orders == comparison(Self.published).orders)
  }

  @Test func `the JSON has the members of the contract, null where there is no number`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let comparison = comparison(Self.published)
    let text = String(decoding: try encoder.encode(comparison), as: UTF8.self)
    #expect(
      text.contains(
        """
        {"batching":"500","main_cpu_ns":230000000,"published_main_cpu_ms":230,"published_total_ms":57000,\
        "role":"fitted","topology":"worker-merge","total_ns":57000000000}
        """))
    #expect(
      text.contains(
        """
        {"high_ppm":null,"low_ppm":50000000,"name":"main_cpu_three_tier_to_worker_merge","passed":true,\
        "value_ppm":107407407}
        """))
    #expect(try JSONDecoder().decode(PublishedComparison.self, from: Data(text.utf8)) == comparison)
  }
}
