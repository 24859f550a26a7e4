import Foundation
import Metrics

extension Measure {
  /// A value as people read it, in four digits: `1981 ms`, `8.333 ms`, `12.35 s`, `9.874 MB`, `4811`.
  package func text(_ value: Int64) -> String {
    switch unit {
    case .count: "\(value)"
    case .rowsPerSecond: "\(value)/s"
    case .microsecondsPerSecond: Self.scaled(value, [("µs/s", 1), ("ms/s", 1_000)])
    case .nanoseconds: Self.scaled(value, [("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 10_000_000_000)])
    case .bytes: Self.scaled(value, [("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)])
    }
  }

  /// - Parameter steps: Units from the smallest, each with the value from which on it is used; seconds only from ten on.
  private static func scaled(_ value: Int64, _ steps: [(unit: String, from: Int64)]) -> String {
    guard value != 0, let step = steps.last(where: { $0.from <= value.magnitude }) else { return "0" }
    let divisor = step.unit == "s" ? 1_000_000_000 : step.from
    let amount = Double(value) / Double(divisor)
    let wholeDigits = String(Int64(amount.magnitude)).count
    return String(format: "%.\(divisor == 1 ? 0 : max(0, 4 - wholeDigits))f \(step.unit)", amount)
  }
}

/// A change as people read it.
enum ShareText {
  /// `+6.13 %`, `-41.2 %`, `+312 %`; `from 0` where there is no share.
  static func of(_ partsPerMillion: Int64?) -> String {
    guard let partsPerMillion else { return "from 0" }
    let digits = partsPerMillion.magnitude < 100_000 ? 2 : partsPerMillion.magnitude < 1_000_000 ? 1 : 0
    return String(format: "%+.\(digits)f %%", Double(partsPerMillion) / 10_000)
  }
}
