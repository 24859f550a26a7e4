/// The change of the computer's speed over the trials of a run, as their yardsticks show it.
package struct YardstickDrift: Hashable, Sendable, Codable {
  package let trialCount: Int
  package let leastNanoseconds: Int64
  /// The lower median of the trials' yardsticks.
  package let medianNanoseconds: Int64
  package let greatestNanoseconds: Int64
  /// The largest difference between the two yardsticks of one trial, as a share of their mean.
  package let largestDifferencePartsPerMillion: Int64
  /// The number of trials that were repeated because the speed changed during them.
  package let repeatedTrialCount: Int
  /// The number of trials during which the speed changed even in their last run.
  package let unsteadyTrialCount: Int

  /// Creates the drift of these trials, or returns nil if there are no trials.
  package init?(of trials: [YardstickPair], repeatedTrialCount: Int = 0) {
    let means = trials.map(\.meanNanoseconds).sorted()
    guard let least = means.first, let greatest = means.last else { return nil }
    trialCount = means.count
    leastNanoseconds = least
    medianNanoseconds = means[(means.count - 1) / 2]
    greatestNanoseconds = greatest
    largestDifferencePartsPerMillion = trials.map(\.differencePartsPerMillion).max() ?? 0
    self.repeatedTrialCount = repeatedTrialCount
    unsteadyTrialCount = trials.count { !$0.isSteady }
  }

  private enum CodingKeys: String, CodingKey {
    case trialCount = "trials_count"
    case leastNanoseconds = "yardstick_ns_min"
    case medianNanoseconds = "yardstick_ns_median"
    case greatestNanoseconds = "yardstick_ns_max"
    case largestDifferencePartsPerMillion = "largest_difference_ppm"
    case repeatedTrialCount = "repeated_trials_count"
    case unsteadyTrialCount = "unsteady_trials_count"
  }
}
