import MachineCore

/// A published table beside what our runs of the same rows came to, and whether the orders that it shows come out.
///
/// Encodes as `validate --published kugler-2013 --format json` prints it.
package struct PublishedComparison: Hashable, Sendable, Codable {
  package let rows: [Row]
  package let orders: [Order]

  /// One row, published and run.
  package struct Row: Hashable, Sendable, Codable {
    package let topology: String
    package let batching: PublishedFigures.SaveBatching
    package let role: PublishedFigures.Role
    package let publishedTotalMilliseconds: Int64
    package let publishedMainCPUMilliseconds: Int64
    package let totalNanoseconds: Int64
    package let mainCPUNanoseconds: Int64

    package init(_ published: PublishedFigures, total: Span, mainCPU: Span) {
      topology = published.topology
      batching = published.batching
      role = published.role
      publishedTotalMilliseconds = published.totalMilliseconds
      publishedMainCPUMilliseconds = published.mainCPUMilliseconds
      totalNanoseconds = total.nanoseconds
      mainCPUNanoseconds = mainCPU.nanoseconds
    }

    private enum CodingKeys: String, CodingKey {
      case topology
      case batching
      case role
      case publishedTotalMilliseconds = "published_total_ms"
      case publishedMainCPUMilliseconds = "published_main_cpu_ms"
      case totalNanoseconds = "total_ns"
      case mainCPUNanoseconds = "main_cpu_ns"
    }
  }

  /// Whether every order comes out.
  package var passed: Bool { orders.allSatisfy(\.passed) }

  /// Compares what was run with Kugler's table of 2013.
  ///
  /// - Parameter rows: in the order of `PublishedFigures.kugler2013`; each of its rows once.
  package init(kugler2013 rows: [Row]) {
    self.rows = rows
    orders = KuglerOrders(rows).orders
  }
}

extension PublishedComparison {
  /// One relation between rows that is to come out, with its range; both ends belong to it.
  package struct Order: Hashable, Sendable, Codable {
    package let name: String
    /// Nil where it cannot be told: something measured as nothing.
    package let valuePartsPerMillion: Int64?
    package let lowPartsPerMillion: Int64
    /// Nil = no upper end.
    package let highPartsPerMillion: Int64?
    package let passed: Bool

    package init(
      _ name: String, valuePartsPerMillion: Int64?, lowPartsPerMillion: Int64, highPartsPerMillion: Int64?
    ) {
      self.name = name
      self.valuePartsPerMillion = valuePartsPerMillion
      self.lowPartsPerMillion = lowPartsPerMillion
      self.highPartsPerMillion = highPartsPerMillion
      passed =
        if let value = valuePartsPerMillion {
          lowPartsPerMillion <= value && value <= highPartsPerMillion ?? .max
        } else {
          false
        }
    }

    private enum CodingKeys: String, CodingKey {
      case name
      case valuePartsPerMillion = "value_ppm"
      case lowPartsPerMillion = "low_ppm"
      case highPartsPerMillion = "high_ppm"
      case passed
    }

    /// Writes all five members, null where there is no number.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(valuePartsPerMillion, forKey: .valuePartsPerMillion)
      try container.encode(lowPartsPerMillion, forKey: .lowPartsPerMillion)
      try container.encode(highPartsPerMillion, forKey: .highPartsPerMillion)
      try container.encode(passed, forKey: .passed)
    }
  }
}

/// The orders that Kugler's table shows, with ranges around his figures.
private struct KuglerOrders {
  private let rows: [PublishedComparison.Row]

  init(_ rows: [PublishedComparison.Row]) {
    self.rows = rows
  }

  private typealias Measure = KeyPath<PublishedComparison.Row, Int64>
  private static var total: Measure { \.totalNanoseconds }
  private static var mainCPU: Measure { \.mainCPUNanoseconds }

  var orders: [PublishedComparison.Order] {
    [
      ratio("total_child_of_main_to_worker_merge", Self.total, "child-of-main", "worker-merge", 1_100_000, 1_400_000),
      // More than 1: that #5 takes longest is a part of the first order of totals.
      ratio("total_three_tier_to_child_of_main", Self.total, "three-tier", "child-of-main", 1_000_001, nil),
      ratio("total_three_tier_to_worker_merge", Self.total, "three-tier", "worker-merge", 1_300_000, 1_800_000),
      ratio("main_cpu_three_tier_to_worker_merge", Self.mainCPU, "three-tier", "worker-merge", 50_000_000, nil),
      ratio("main_cpu_child_of_main_to_three_tier", Self.mainCPU, "child-of-main", "three-tier", 1_200_000, 2_000_000),
      saving("total_cut_by_batching_three_tier", "three-tier"),
      saving("total_cut_by_batching_worker_merge", "worker-merge"),
      change("main_cpu_change_by_batching_three_tier", "three-tier"),
      change("main_cpu_change_by_batching_worker_merge", "worker-merge"),
    ]
  }

  private func value(_ measure: Measure, _ topology: String, _ batching: PublishedFigures.SaveBatching) -> Int64? {
    rows.first { $0.topology == topology && $0.batching == batching }?[keyPath: measure]
  }

  /// One stack's figure over another's, both with a save for each entity.
  private func ratio(
    _ name: String, _ measure: Measure, _ first: String, _ second: String, _ low: Int64, _ high: Int64?
  ) -> PublishedComparison.Order {
    let value = Self.partsPerMillion(value(measure, first, .entity), of: value(measure, second, .entity))
    return .init(name, valuePartsPerMillion: value, lowPartsPerMillion: low, highPartsPerMillion: high)
  }

  /// By how much saving every 500 objects makes an import shorter.
  private func saving(_ name: String, _ topology: String) -> PublishedComparison.Order {
    let left = Self.partsPerMillion(
      value(Self.total, topology, .every500), of: value(Self.total, topology, .entity))
    return .init(
      name, valuePartsPerMillion: left.map { 1_000_000 - $0 }, lowPartsPerMillion: 100_000,
      highPartsPerMillion: 250_000)
  }

  /// By how much it changes what the main thread works.
  private func change(_ name: String, _ topology: String) -> PublishedComparison.Order {
    let left = Self.partsPerMillion(
      value(Self.mainCPU, topology, .every500), of: value(Self.mainCPU, topology, .entity))
    return .init(
      name, valuePartsPerMillion: left.map { $0 - 1_000_000 }, lowPartsPerMillion: -250_000,
      highPartsPerMillion: 250_000)
  }

  /// ⌊10⁶·part/whole⌋; nil where there is no whole. Exact for any length of time.
  private static func partsPerMillion(_ part: Int64?, of whole: Int64?) -> Int64? {
    guard let part, let whole, part >= 0, whole > 0 else { return nil }
    let (quotient, remainder) = part.quotientAndRemainder(dividingBy: whole)
    let product = UInt64(remainder).multipliedFullWidth(by: 1_000_000)
    return quotient * 1_000_000 + Int64(UInt64(whole).dividingFullWidth(product).quotient)
  }
}
