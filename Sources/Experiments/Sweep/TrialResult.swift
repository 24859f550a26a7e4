import Metrics

/// The result of one trial of a plan, which has its own file.
package struct TrialResult: Codable, Sendable {
  var trial: PlannedTrial
  /// The record of the trial, without its frames and stalls.
  var record: TrialRecord
  /// The reason why the trial's data is not trusted, or nil if the data verified.
  var failure: String?

  /// A message that the trial's data did not verify, or nil if it did. The table of the sweep has a row for the trial
  /// in either case.
  package var complaint: String? {
    guard failure != nil else { return nil }
    return "\(trial.title): its data did not verify"
  }
}
