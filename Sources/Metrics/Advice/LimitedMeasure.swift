import MachineCore

/// A measure on which a file sets a limit, with the name and the unit that people use.
///
/// The common ones have a short name and a unit such as milliseconds. Any other measure whose smaller values are better
/// is named by its column and has the column's unit.
package struct LimitedMeasure: Hashable, Sendable {
  package let name: String
  package let measure: Measure
  /// The unit behind a value, such as `ms`, or an empty text for a count.
  package let unit: String
  /// The number of the measure's own units in one unit.
  package let scale: Int64

  private init(_ name: String, measure: Measure, unit: String, scale: Int64) {
    (self.name, self.measure, self.unit, self.scale) = (name, measure, unit, scale)
  }

  /// Returns a limit of a number of units.
  package func limit(_ value: Double) -> AdviceLimit {
    AdviceLimit(measure, title: name, most: Int64((value * Double(scale)).rounded()))
  }
}

// MARK: - The names

extension LimitedMeasure {
  /// The measures with short names: those of the limits of `advise`, and the SQL statements on the main thread.
  package static let common = [
    LimitedMeasure("hitch", measure: .hitchRatio, unit: "ms/s", scale: 1_000),
    LimitedMeasure("stall", measure: .stallMaximum, unit: "ms", scale: 1_000_000),
    LimitedMeasure("time-to-visible", measure: .timeToVisibleMaximum, unit: "ms", scale: 1_000_000),
    LimitedMeasure("at-risk", measure: .atRiskMaximum, unit: "ms", scale: 1_000_000),
    LimitedMeasure("import", measure: .importTime, unit: "s", scale: 1_000_000_000),
    LimitedMeasure("edit-response", measure: .editResponseMaximum, unit: "ms", scale: 1_000_000),
    LimitedMeasure("sql-on-main", measure: .mainStatements, unit: "", scale: 1),
  ]

  /// All measures that can have a limit: the common ones, and each column whose smaller values are better.
  package static let all =
    common
    + Measure.all.filter { $0.better == .lower }.map {
      LimitedMeasure($0.name, measure: $0, unit: $0.unit.symbol, scale: 1)
    }

  /// Returns the measure with a short name or the name of a column, or nil if there is none.
  package static func named(_ name: String) -> LimitedMeasure? { all.first { $0.name == name } }
}
