import Metrics

/// What came of one trial of a plan, as its file holds it.
package struct TrialResult: Codable, Sendable {
  var trial: PlannedTrial
  /// Without its frames and stalls.
  var record: TrialRecord
  /// Why its data is not to be trusted; nil = it verified.
  var failure: String?

  /// Why the sweep has failed although it has this row; nil if it has not.
  package var complaint: String? {
    guard failure != nil else { return nil }
    return "\(trial.title): its data did not verify"
  }
}
