/// The estimated change of a measure, with its uncertainty.
package struct Shift: Hashable, Sendable {
  /// The most plausible value.
  package let estimate: Double
  /// The interval that contains the true value in 95 % of cases, or nil if there are too few trials for one.
  package let interval: ClosedRange<Double>?

  /// Creates a shift that is known exactly.
  package init(exactly value: Double) {
    estimate = value
    interval = value...value
  }

  /// Creates a shift whose estimate is the median of individual estimates.
  ///
  /// - Parameters:
  ///   - ordered: The individual estimates, ascending and not empty.
  ///   - intervalRank: The rank, counted from 1, of the element at which the interval begins, and the rank from the end
  ///     of the element at which it ends; 0 if there is no interval.
  package init(ordered: [Double], intervalRank: Int) {
    let middle = ordered.count / 2
    estimate = ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    interval =
      intervalRank >= 1 && 2 * intervalRank <= ordered.count + 1
      ? ordered[intervalRank - 1]...ordered[ordered.count - intervalRank] : nil
  }
}
