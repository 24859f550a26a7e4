import Foundation
import Metrics

/// How values of measures read: with their unit, and no more digits than tell something.
enum MeasureText {
  /// A value of a measure.
  static func of(_ value: Double, _ unit: Measure.Unit) -> String {
    switch unit {
    case .nanoseconds: "\(decimal(value / 1_000_000)) ms"
    case .bytes: "\(decimal(value / 1_000_000)) MB"
    case .microsecondsPerSecond: "\(decimal(value / 1_000)) ms/s"
    case .rowsPerSecond: "\(decimal(value, digits: 0)) rows/s"
    case .count: decimal(value, digits: value == value.rounded() ? 0 : 1)
    }
  }

  /// A change with its sign: in per cent of `base`, or in the unit where that is zero.
  static func change(_ change: Double, from base: Int64, _ unit: Measure.Unit) -> String {
    guard base != 0 else { return (change > 0 ? "+" : "") + of(change, unit) }
    return signedPercent(change / abs(Double(base)))
  }

  static func signedPercent(_ ratio: Double) -> String {
    let text = String(format: "%+.1f", ratio * 100)
    return text == "-0.0" || text == "+0.0" ? "0.0 %" : "\(text) %"
  }

  /// Without digits that say nothing.
  static func percent(_ ratio: Double) -> String {
    let percent = ratio * 100
    return String(format: percent == percent.rounded() ? "%.0f %%" : "%.1f %%", percent)
  }

  /// Two places below ten, one below ten thousand, none above.
  private static func decimal(_ value: Double, digits: Int? = nil) -> String {
    let digits = digits ?? (abs(value) < 10 ? 2 : abs(value) < 10_000 ? 1 : 0)
    return String(format: "%.\(digits)f", value)
  }
}
