import Foundation
import Metrics

/// Formats the values of measures and their changes for every table and sentence.
enum MeasureText {
  /// Returns a value with its unit, in four digits: `1981 ms`, `8.333 ms`, `12.35 s`, `9.874 MB`, `4811`.
  static func of(_ value: Double, in unit: Measure.Unit) -> String {
    switch unit {
    case .count: String(format: value == value.rounded() ? "%.0f" : "%.1f", value)
    case .rowsPerSecond: String(format: "%.0f/s", value)
    case .microsecondsPerSecond: scaled(value, steps: [("µs/s", 1), ("ms/s", 1_000)])
    case .nanoseconds: scaled(value, steps: [("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 10_000_000_000)])
    case .bytes: scaled(value, steps: [("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)])
    }
  }

  /// Returns a value in the largest unit that it reaches, in four digits.
  ///
  /// Each step is a unit with the least value for which it is used, from the smallest unit on. That value is also the
  /// divisor, except for seconds, which are used only from ten seconds on.
  private static func scaled(_ value: Double, steps: [(unit: String, from: Double)]) -> String {
    guard let step = steps.last(where: { $0.from <= abs(value) }) else { return "0" }
    let divisor = step.unit == "s" ? 1_000_000_000 : step.from
    let amount = value / divisor
    guard divisor != 1 else { return String(format: "%.0f \(step.unit)", amount) }
    let text = String(format: "%.\(places(of: amount))f", amount)
    // Rounding may have added a digit.
    return "\(String(format: "%.\(places(of: Double(text) ?? amount))f", amount)) \(step.unit)"
  }

  /// Returns the number of decimals with which an amount has four digits.
  private static func places(of amount: Double) -> Int { max(0, 4 - String(Int64(abs(amount))).count) }

  /// Returns a change with its sign, in per cent of `base`, or in the unit if `base` is zero.
  static func change(_ change: Double, from base: Int64, in unit: Measure.Unit) -> String {
    guard base != 0 else { return (change > 0 ? "+" : "") + of(change, in: unit) }
    return share(change / abs(Double(base)))
  }

  /// Returns a number with two decimal places, for means of counts.
  static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

  /// Returns a change as a share: `+6.13 %`, `-41.2 %`, `+312 %`, `0 %`.
  static func share(_ ratio: Double) -> String {
    let percent = ratio * 100
    let digits = abs(percent) < 10 ? 2 : abs(percent) < 100 ? 1 : 0
    let text = String(format: "%+.\(digits)f %%", percent)
    return text == "+0.00 %" || text == "-0.00 %" ? "0 %" : text
  }

  /// Returns a limit in per cent, with one decimal place unless it is a whole number.
  static func percent(_ ratio: Double) -> String {
    let percent = ratio * 100
    return String(format: percent == percent.rounded() ? "%.0f %%" : "%.1f %%", percent)
  }
}
