import MachineCore

/// Published CPU times of one context on a later phone, beside what our runs came to.
///
/// An iPhone 6 with iOS 11.4.1, one main-queue context on one coordinator, one entity of four attributes: 10,000 objects
/// inserted with a save after each, then 10,000 fetches of one object each. No order belongs to it: it says how fast a
/// phone is. Encodes as `validate --published anchor-iphone-6 --format json` prints it.
package struct AnchorComparison: Hashable, Sendable, Codable {
  package let rows: [Row]

  package init(rows: [Row]) {
    self.rows = rows
  }

  /// The two halves of the measurement.
  package enum Phase: String, CaseIterable, Hashable, Sendable, Codable {
    /// Each object inserted and saved by itself.
    case inserts
    /// Each object fetched by an integer that no index covers, with one sort key, each fetch a block of its own.
    case fetches

    package var publishedCPUMilliseconds: Int64 {
      switch self {
      case .inserts: 18_000
      case .fetches: 17_400
      }
    }

    /// Nil where it was not published.
    package var publishedMainCPUMilliseconds: Int64? {
      switch self {
      case .inserts: 15_400
      case .fetches: nil
      }
    }
  }

  package struct Row: Hashable, Sendable, Codable {
    package let phase: Phase
    /// Both phases say how fast the phone is; there is no other row.
    package let role: PublishedFigures.Role
    package let publishedCPUMilliseconds: Int64
    package let publishedMainCPUMilliseconds: Int64?
    package let totalNanoseconds: Int64
    /// Of all threads.
    package let cpuNanoseconds: Int64
    package let mainCPUNanoseconds: Int64

    package init(_ phase: Phase, total: Span, cpu: Span, mainCPU: Span) {
      self.phase = phase
      role = .fitted
      publishedCPUMilliseconds = phase.publishedCPUMilliseconds
      publishedMainCPUMilliseconds = phase.publishedMainCPUMilliseconds
      totalNanoseconds = total.nanoseconds
      cpuNanoseconds = cpu.nanoseconds
      mainCPUNanoseconds = mainCPU.nanoseconds
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

    /// Writes all members, null where nothing was published.
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
