import Foundation
import Metrics

/// Words for the change of a measure from one result to another.
///
/// A change that at least doubles or halves a measure is written as a ratio, and a smaller one in per cent. If one of
/// the values is zero, the values themselves are written.
package struct ChangeText: Hashable, Sendable {
  /// The noun that a ratio of a measure belongs to.
  enum Quantity: Hashable, Sendable {
    /// The time until something is done: it takes twice as long, or it is twice as fast.
    case speed
    /// A sum or a length of time that has no speed: it is twice as long, or half as long.
    case duration
    case amount
  }

  /// The forms in which a change can be written.
  private enum Form {
    case percent
    /// A ratio by which the measure grows or, if `isSmaller` is true, shrinks.
    case ratio(isSmaller: Bool)
    case values
  }

  private let before: Int64
  private let shift: Shift
  private let unit: Measure.Unit
  private let quantity: Quantity

  /// Creates the words for a shift of a measure.
  ///
  /// - Parameters:
  ///   - shift: The shift from the first result to the second.
  ///   - before: The median of the first result.
  ///   - measure: The measure.
  init(_ shift: Shift, from before: Int64, of measure: Measure) {
    self.before = before
    self.shift = shift
    unit = measure.unit
    quantity = Self.quantity(of: measure)
  }

  init(_ judged: Comparison.Judged) {
    self.init(judged.shift, from: judged.firstMedian, of: judged.primary.measure)
  }

  /// The least ratio that is written in place of a percentage.
  private static let leastRatio = 2.0

  private static func quantity(of measure: Measure) -> Quantity {
    guard measure.unit == .nanoseconds else { return .amount }
    let speeds = ["import_ns", "visible_ns", "time_to_visible_ns", "time_to_durable_ns", "edit_response_ns"]
    return speeds.contains { measure.name.hasPrefix($0) } ? .speed : .duration
  }
}

// MARK: - Texts

extension ChangeText {
  /// The change in a cell of a table: `+6.13 %`, `8.44 times`, `1/12.0`, `+25.44 µs` from zero and `to 0`.
  var cell: String {
    switch form {
    case .percent: MeasureText.share(shift.estimate / abs(Double(before)))
    case .ratio(let isSmaller): isSmaller ? "1/\(Self.number(1 / ratio))" : "\(Self.number(ratio)) times"
    case .values: before == 0 ? MeasureText.change(shift.estimate, from: 0, in: unit) : "to 0"
    }
  }

  /// The 95 % interval in the form of `cell`, or nil if there are too few trials for one.
  var interval: String? {
    guard let interval = shift.interval else { return nil }
    switch form {
    case .percent: return "\(ends(interval, text: Self.percent)) %"
    case .ratio(let isSmaller):
      return isSmaller
        ? ends(interval) { "1/\(Self.number(1 / $0))" } : "\(ends(interval, text: Self.number)) times"
    case .values:
      return [interval.lowerBound, interval.upperBound].map { MeasureText.change($0, from: 0, in: unit) }
        .joined(separator: " to ")
    }
  }

  /// The change as part of a sentence, with its interval if it was estimated: `12.0 times as fast (11.2 to 12.9)`.
  var phrase: String {
    switch form {
    case .percent: cell + estimated { "\(ends($0, text: Self.percent)) %" }
    case .ratio(let isSmaller): isSmaller && quantity == .speed ? fast : ratioPhrase(isSmaller: isSmaller)
    case .values where shift.estimate == 0: "unchanged"
    case .values:
      "from \(MeasureText.of(Double(before), in: unit)) to \(MeasureText.of(Double(before) + shift.estimate, in: unit))"
    }
  }

  /// The phrase for a time that becomes shorter. Shrinking to between 1/12.9 and 1/11.2 means 11.2 to 12.9 times as
  /// fast.
  private var fast: String {
    "\(Self.number(1 / ratio)) times as fast" + estimated { ends($0, text: { Self.number(1 / $0) }, isReversed: true) }
  }

  private func ratioPhrase(isSmaller: Bool) -> String {
    let noun = quantity == .amount ? "much" : "long"
    return isSmaller
      ? "\(cell) as \(noun)" + estimated { ends($0) { "1/\(Self.number(1 / $0))" } }
      : "\(cell) as \(noun)" + estimated { ends($0, text: Self.number) }
  }

  /// Returns the 95 % interval in parentheses, or an empty text if the shift is exact or has no interval.
  private func estimated(_ text: (ClosedRange<Double>) -> String) -> String {
    guard let interval = shift.interval, interval.lowerBound < interval.upperBound else { return "" }
    return " (\(text(interval)))"
  }

  /// The ratio of the second result's value to the first's, computed from the estimated shift.
  private var ratio: Double { 1 + shift.estimate / Double(before) }

  private var form: Form {
    guard before > 0 else { return before == 0 ? .values : .percent }
    let ratio = ratio
    // Values are whole numbers, so a value below one half counts as zero.
    if Double(before) * ratio < 0.5 { return .values }
    guard ratio >= Self.leastRatio || 1 / ratio >= Self.leastRatio else { return .percent }
    // An interval of shifts may reach below zero, or from a shrinking to a growing measure. Ratios would be misleading
    // there.
    let least = shift.interval.map { 1 + $0.lowerBound / Double(before) } ?? ratio
    let greatest = shift.interval.map { 1 + $0.upperBound / Double(before) } ?? ratio
    return least > 0 && (ratio > 1 || greatest <= 1) ? .ratio(isSmaller: ratio < 1) : .percent
  }

  /// Returns both ends of an interval of shifts as text, each as a ratio.
  private func ends(
    _ interval: ClosedRange<Double>, text: (Double) -> String, isReversed: Bool = false
  ) -> String {
    let texts = [interval.lowerBound, interval.upperBound].map { text(1 + $0 / Double(before)) }
    return (isReversed ? texts.reversed() : texts).joined(separator: " to ")
  }

  /// Returns a ratio as a change in per cent, without the percent sign: `+6.13`.
  private static func percent(_ ratio: Double) -> String {
    String(MeasureText.share(ratio - 1).dropLast(2))
  }

  /// Returns a ratio in three digits: `8.44`, `12.0`, `131`.
  static func number(_ ratio: Double) -> String {
    let text = { (digits: Int) in String(format: "%.\(digits)f", ratio) }
    // Rounding may bring one digit more: 9.999 reads as 10.0.
    return ratio < 9.995 ? text(2) : ratio < 99.95 ? text(1) : text(0)
  }
}
