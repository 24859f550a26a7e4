import Foundation
import Metrics

/// The form of a table's column for one measure: one unit for all its values, with as many decimals as the largest
/// value needs.
struct MeasureColumn {
  /// The unit in the column's title; empty for counts.
  let unit: String
  private let divisor: Double
  private let places: Int

  /// Chooses the form for the values of a column.
  ///
  /// - Parameters:
  ///   - values: All values in the column, in the measure's unit.
  ///   - unit: The measure's unit.
  init(_ values: [Int64], in unit: Measure.Unit) {
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

  /// Returns the column's title, which consists of the measure's title and the unit.
  func title(_ measure: String) -> String { unit.isEmpty ? measure : "\(measure) \(unit)" }
}
