import Foundation
import Metrics

extension YardstickDrift {
  /// The sentences that follow live trials: the computer's speed, and the number of trials that were repeated because
  /// it changed.
  package var sentences: [String] { [speed] + [repeats].compactMap(\.self) }

  private var speed: String {
    let difference = String(format: "%.1f", Double(largestDifferencePartsPerMillion) / 10_000)
    return "Yardstick over \(Self.trials(trialCount)): least \(Self.milliseconds(leastNanoseconds)), median "
      + "\(Self.milliseconds(medianNanoseconds)), greatest \(Self.milliseconds(greatestNanoseconds)) ms; the values "
      + "before and after one trial differ by at most \(difference) %."
  }

  private var repeats: String? {
    if repeatedTrialCount > 0 {
      let limited = unsteadyTrialCount > 0 ? "; \(unsteadyTrialCount) reached the limit of repeats" : ""
      let were = repeatedTrialCount == 1 ? "was" : "were"
      let them = repeatedTrialCount == 1 ? "it" : "them"
      return "\(Self.trials(repeatedTrialCount)) \(were) repeated because the computer's speed changed during "
        + "\(them)\(limited)."
    }
    guard unsteadyTrialCount > 0 else { return nil }
    return
      "The computer's speed changed during \(Self.trials(unsteadyTrialCount)), which "
      + "\(unsteadyTrialCount == 1 ? "was" : "were") not repeated."
  }

  private static func trials(_ count: Int) -> String { count == 1 ? "1 trial" : "\(count) trials" }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.2f", Double(nanoseconds) / 1_000_000)
  }
}
