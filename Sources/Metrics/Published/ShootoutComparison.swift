/// The published table `kugler-2013` in the form that scripts read: one row for each import, with both its figures.
package struct ShootoutComparison: Hashable, Sendable, Codable {
  package let rows: [Row]
  package let orders: [PublishedOrder]

  package init(rows: [Row], orders: [PublishedOrder]) {
    self.rows = rows
    self.orders = orders
  }

  package struct Row: Hashable, Sendable, Codable {
    package let topology: String
    /// `entity`, or the number of objects that one save carries.
    package let batching: String
    package let role: PublishedRole
    package let publishedTotalMilliseconds: Int64
    package let publishedMainCPUMilliseconds: Int64
    package let totalNanoseconds: Int64
    package let mainCPUNanoseconds: Int64

    package init(batching: String, total: PublishedResult, mainCPU: PublishedResult) {
      topology = total.topology
      self.batching = batching
      role = total.role
      publishedTotalMilliseconds = total.published / 1_000_000
      publishedMainCPUMilliseconds = mainCPU.published / 1_000_000
      totalNanoseconds = total.simulated
      mainCPUNanoseconds = mainCPU.simulated
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
}
