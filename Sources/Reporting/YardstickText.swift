import Foundation
import Metrics

extension YardstickDrift {
  /// The sentence that a run of live trials prints: how fast the computer was, and how much that changed.
  package var sentence: String {
    let difference = String(format: "%.1f", Double(largestDifferencePartsPerMillion) / 10_000)
    let trials = trialCount == 1 ? "1 trial" : "\(trialCount) trials"
    return "Yardstick over \(trials): least \(Self.milliseconds(leastNanoseconds)), median "
      + "\(Self.milliseconds(medianNanoseconds)), greatest \(Self.milliseconds(greatestNanoseconds)) ms; before and "
      + "after a trial at most \(difference) % apart."
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.2f", Double(nanoseconds) / 1_000_000)
  }
}
