import MachineCore

/// The durations of the yardstick's work right before and right after a trial, in nanoseconds of CPU time.
package struct YardstickPair: Hashable, Sendable, Codable {
  package var beforeNanoseconds: Int64
  package var afterNanoseconds: Int64

  package init(beforeNanoseconds: Int64, afterNanoseconds: Int64) {
    self.beforeNanoseconds = beforeNanoseconds
    self.afterNanoseconds = afterNanoseconds
  }

  /// Creates a pair from two readings, or returns nil if one of them is missing.
  package init?(before: TimeSpan?, after: TimeSpan?) {
    guard let before, let after else { return nil }
    self.init(beforeNanoseconds: before.nanoseconds, afterNanoseconds: after.nanoseconds)
  }

  /// The mean of both, rounded down: the yardstick of the trial.
  package var meanNanoseconds: Int64 { (beforeNanoseconds + afterNanoseconds) / 2 }

  /// The difference between both as a share of their mean.
  package var differencePartsPerMillion: Int64 {
    guard meanNanoseconds > 0 else { return 0 }
    let difference = Double(abs(beforeNanoseconds - afterNanoseconds))
    return Int64(clampingRounded: 1e6 * difference / Double(meanNanoseconds))
  }

  /// The difference, 10 %, above which the computer's speed changed so much during a trial that the trial is repeated.
  package static let steadyPartsPerMillion: Int64 = 100_000

  package var isSteady: Bool { differencePartsPerMillion <= Self.steadyPartsPerMillion }
}
