/// What a comparison says of a measure of which less is better.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  case worse
  case better
  case equal
  case inconclusive

  /// The chance that is taken of calling something worse or better that is not, over all tests together.
  package static let significance = 0.05

  /// - Parameters:
  ///   - shift: from the first result to the second.
  ///   - probability: of such a shift where there is none, corrected for the number of tests.
  ///   - floor: how far a shift must go to matter; not negative.
  package init(shift: Shift, probability: Double, floor: Double) {
    if probability <= Self.significance, abs(shift.estimate) > floor {
      self = shift.estimate > 0 ? .worse : .better
    } else if let interval = shift.interval, interval.lowerBound >= -floor, interval.upperBound <= floor {
      self = .equal
    } else {
      self = .inconclusive
    }
  }

  /// What several verdicts come to: worse if one is, else better if one is, else equal if all are.
  package init(of verdicts: some Sequence<Verdict>) {
    let found = Set(verdicts)
    self =
      found.contains(.worse)
      ? .worse : found.contains(.better) ? .better : found == [.equal] ? .equal : .inconclusive
  }
}
