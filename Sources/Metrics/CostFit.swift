/// What one count of each column costs, fitted to measured totals, with its error on totals that the fit has not seen.
package struct CostFit: Sendable {
  /// Work that was done, and the time it took.
  package struct Observation: Hashable, Sendable {
    /// What the observations of one kind have in common; a range is what is left when one group is missing.
    package var group: String
    /// One for each column.
    package var counts: [Double]
    package var nanoseconds: Double
    /// Whether it is kept out of the fit, to judge it by.
    package var isHeldOut: Bool
    /// How many times as much as others it counts.
    package var weight: Double

    package init(
      group: String, counts: [Double], nanoseconds: Double, isHeldOut: Bool = false, weight: Double = 1
    ) {
      self.group = group
      self.counts = counts
      self.nanoseconds = nanoseconds
      self.isHeldOut = isHeldOut
      self.weight = weight
    }
  }

  /// One column's cost.
  package struct Constant: Hashable, Sendable {
    /// Nanoseconds a count.
    package var value: Double
    /// The least and the most that comes out when one group of observations is missing.
    package var low: Double
    package var high: Double
    /// How far held-out totals are from what was measured, relative to that, each weighted with the share that this
    /// column has in it; nil where it has none.
    package var heldOutError: Double?
    /// Whether some observation counts the column and others do not make it up.
    package var isDetermined: Bool
  }

  /// One for each column.
  package let constants: [Constant]

  /// - Parameter observations: with equally many counts, and a time above 0.
  package init(_ observations: [Observation]) {
    let fitted = observations.filter { !$0.isHeldOut }
    let whole = CostFit.solve(fitted)
    let values = whole.solution
    var constants = values.indices.map { column in
      Constant(
        value: values[column], low: values[column], high: values[column], heldOutError: nil,
        isDetermined: !whole.dependent[column])
    }
    for group in CostFit.groups(of: fitted) {
      let rest = fitted.filter { $0.group != group }
      if rest.isEmpty { continue }
      let partial = CostFit.solve(rest)
      for column in constants.indices where !partial.dependent[column] && partial.solution[column] > 0 {
        constants[column].low = min(constants[column].low, partial.solution[column])
        constants[column].high = max(constants[column].high, partial.solution[column])
      }
    }
    let heldOut = observations.filter(\.isHeldOut)
    for column in constants.indices {
      constants[column].heldOutError = CostFit.error(of: column, heldOut, values)
    }
    self.constants = constants
  }

  private static func solve(_ observations: [Observation]) -> NonNegativeLeastSquares {
    NonNegativeLeastSquares(
      rows: observations.map(\.counts), measured: observations.map(\.nanoseconds),
      weights: observations.map { $0.weight / $0.nanoseconds })
  }

  /// In the order in which they first come.
  private static func groups(of observations: [Observation]) -> [String] {
    var groups: [String] = []
    for observation in observations where groups.last != observation.group && !groups.contains(observation.group) {
      groups.append(observation.group)
    }
    return groups
  }

  private static func error(of column: Int, _ observations: [Observation], _ values: [Double]) -> Double? {
    var errors = 0.0
    var shares = 0.0
    for observation in observations {
      let predicted = zip(observation.counts, values).reduce(0) { $0 + $1.0 * $1.1 }
      guard predicted > 0 else { continue }
      let share = observation.counts[column] * values[column] / predicted
      errors += share * abs(predicted - observation.nanoseconds) / observation.nanoseconds
      shares += share
    }
    return shares > 0 ? errors / shares : nil
  }
}
