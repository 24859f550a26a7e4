import Foundation
import Metrics

/// The unit in which all values of a measure are printed.
struct MeasureScale: Hashable, Sendable {
  /// The symbol of the unit; empty for a count.
  let symbol: String
  private let divisor: Double

  /// Chooses the unit by the largest of the values. Seconds are used from ten seconds on.
  init(_ unit: Measure.Unit, largest: Int64) {
    let steps: [(symbol: String, divisor: Double, from: Double)] =
      switch unit {
      case .nanoseconds: [("ms", 1e6, 0), ("s", 1e9, 1e10)]
      case .bytes: [("kB", 1e3, 0), ("MB", 1e6, 1e6), ("GB", 1e9, 1e9)]
      case .microsecondsPerSecond: [("ms/s", 1e3, 0)]
      case .rowsPerSecond: [("/s", 1, 0)]
      case .count: [("", 1, 0)]
      }
    let step = steps.last { $0.from <= Double(largest) } ?? steps[0]
    symbol = step.symbol
    divisor = step.divisor
  }

  /// Returns a value in the unit, without its symbol, in four digits of which at most three are decimals.
  func text(_ value: Int64) -> String {
    guard value != 0, divisor != 1 else { return "\(value)" }
    let amount = Double(value) / divisor
    let wholeDigits = String(Int64(abs(amount))).count
    let text = String(format: "%.\(max(0, 4 - wholeDigits))f", amount)
    return text == "0.000" ? "<0.001" : text
  }

  /// Returns the unit of each judged measure, chosen by its largest median in either result.
  static func scales(of comparison: Comparison) -> [PrimaryMeasure: MeasureScale] {
    Dictionary(grouping: comparison.judged, by: \.primary).mapValues { judged in
      let largest = judged.map { max($0.firstMedian, $0.secondMedian) }.max() ?? 0
      return MeasureScale(judged[0].primary.measure.unit, largest: largest)
    }
  }
}

extension PrimaryMeasure {
  /// Returns the title with the unit of a scale: `main busy ms`.
  func title(in scale: MeasureScale?) -> String {
    [title, scale?.symbol ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
