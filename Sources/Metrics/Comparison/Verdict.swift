/// The verdict of a comparison on a measure of which less is better.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  case worse
  case better
  case equal
  case inconclusive

  /// The accepted probability of calling an unchanged measure worse or better, over all tests together.
  package static let significance = 0.05

  /// - Parameters:
  ///   - shift: The shift from the first result to the second.
  ///   - probability: The probability of such a shift by chance, corrected for the number of tests.
  ///   - floor: The size that a shift must exceed to matter; not negative.
  package init(shift: Shift, probability: Double, floor: Double) {
    if probability <= Self.significance, abs(shift.estimate) > floor {
      self = shift.estimate > 0 ? .worse : .better
    } else if let interval = shift.interval, interval.lowerBound >= -floor, interval.upperBound <= floor {
      self = .equal
    } else {
      self = .inconclusive
    }
  }

  /// Combines several verdicts: worse if one is worse, otherwise better if one is better, otherwise equal if all are
  /// equal, and inconclusive in all other cases, as for an empty sequence.
  package init(of verdicts: some Sequence<Verdict>) {
    let found = Set(verdicts)
    self =
      found.contains(.worse)
      ? .worse : found.contains(.better) ? .better : found == [.equal] ? .equal : .inconclusive
  }
}
