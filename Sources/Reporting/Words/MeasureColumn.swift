import Foundation
import Metrics

/// The form of a table's column of one measure: one unit for all its values, with as many decimals as its largest needs.
struct MeasureColumn {
  /// The unit as it stands in the column's title; empty for counts.
  let unit: String
  private let divisor: Double
  private let places: Int

  /// - Parameter values: All that stand in the column, in the measure's unit.
  init(_ values: [Int64], _ unit: Measure.Unit) {
    (self.unit, divisor) =
      switch unit {
      case .nanoseconds: ("ms", 1_000_000)
      case .microsecondsPerSecond: ("ms/s", 1_000)
      case .bytes: ("MB", 1_000_000)
      case .rowsPerSecond: ("rows/s", 1)
      case .count: ("", 1)
      }
    let largest = values.map { abs(Double($0)) }.max() ?? 0
    places = divisor == 1 ? 0 : largest < divisor ? 3 : largest < 100 * divisor ? 2 : largest < 10_000 * divisor ? 1 : 0
  }

  /// Returns a value without its unit.
  func text(_ value: Int64?) -> String {
    value.map { String(format: "%.\(places)f", Double($0) / divisor) } ?? "not measured"
  }

  /// Returns the column's title: the measure's, and the unit.
  func title(_ measure: String) -> String { unit.isEmpty ? measure : "\(measure) \(unit)" }
}
