/// By how much a measure moved, with what the trials leave open.
package struct Shift: Hashable, Sendable {
  /// The most plausible value.
  package let estimate: Double
  /// Holds the true value in 95 % of cases; nil if there are too few trials for one.
  package let interval: ClosedRange<Double>?

  /// A shift that is known and not estimated.
  package init(exactly value: Double) {
    estimate = value
    interval = value...value
  }

  /// The median of what is an estimate each.
  ///
  /// - Parameters:
  ///   - ordered: ascending, not empty.
  ///   - intervalRank: which element the interval begins with, and which from the end it ends with, counted from 1; 0 =
  ///     there is none.
  init(ordered: [Double], intervalRank: Int) {
    let middle = ordered.count / 2
    estimate = ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    interval =
      intervalRank >= 1 && 2 * intervalRank <= ordered.count + 1
      ? ordered[intervalRank - 1]...ordered[ordered.count - intervalRank] : nil
  }
}
