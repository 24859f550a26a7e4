/// The inserts and fetches of the published table `anchor-iphone-6` in the form that scripts read.
package struct AnchorComparison: Hashable, Sendable, Codable {
  /// The two timed steps of the table's first row, which are its two phases.
  package static let phases = ["inserts", "fetches"]

  package let rows: [Row]
  /// Every figure of the table.
  package let figures: [PublishedResult]
  package let orders: [PublishedOrder]

  package init(rows: [Row], figures: [PublishedResult], orders: [PublishedOrder]) {
    self.rows = rows
    self.figures = figures
    self.orders = orders
  }

  package struct Row: Hashable, Sendable, Codable {
    package let phase: String
    package let role: PublishedRole
    package let publishedCPUMilliseconds: Int64
    /// The published CPU time of the main thread, or nil if it was not published.
    package let publishedMainCPUMilliseconds: Int64?
    package let totalNanoseconds: Int64
    package let cpuNanoseconds: Int64
    package let mainCPUNanoseconds: Int64

    /// The times of a simulated phase.
    package struct Times: Hashable, Sendable {
      package var total: Int64
      package var cpu: Int64
      package var mainCPU: Int64

      package init(total: Int64, cpu: Int64, mainCPU: Int64) {
        self.total = total
        self.cpu = cpu
        self.mainCPU = mainCPU
      }
    }

    package init(phase: String, cpu: PublishedResult, mainCPU: PublishedResult?, times: Times) {
      self.phase = phase
      role = cpu.role
      publishedCPUMilliseconds = cpu.published / 1_000_000
      publishedMainCPUMilliseconds = mainCPU.map { $0.published / 1_000_000 }
      totalNanoseconds = times.total
      cpuNanoseconds = times.cpu
      mainCPUNanoseconds = times.mainCPU
    }

    private enum CodingKeys: String, CodingKey {
      case phase
      case role
      case publishedCPUMilliseconds = "published_cpu_ms"
      case publishedMainCPUMilliseconds = "published_main_cpu_ms"
      case totalNanoseconds = "total_ns"
      case cpuNanoseconds = "cpu_ns"
      case mainCPUNanoseconds = "main_cpu_ns"
    }

    /// Encodes all members, with null for a figure that was not published.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(phase, forKey: .phase)
      try container.encode(role, forKey: .role)
      try container.encode(publishedCPUMilliseconds, forKey: .publishedCPUMilliseconds)
      try container.encode(publishedMainCPUMilliseconds, forKey: .publishedMainCPUMilliseconds)
      try container.encode(totalNanoseconds, forKey: .totalNanoseconds)
      try container.encode(cpuNanoseconds, forKey: .cpuNanoseconds)
      try container.encode(mainCPUNanoseconds, forKey: .mainCPUNanoseconds)
    }
  }
}
