import MachineCore
import Metrics

/// Decides whether a live trial is repeated because the computer's speed changed during it.
package final class TrialRepeats: Sendable {
  private let limit: Int
  /// The number of repeats that remain for all trials together.
  private let left: Guarded<Int>

  /// Creates the decision for the trials of one run.
  ///
  /// - Parameters:
  ///   - limit: The largest number of repeats of one trial.
  ///   - trialCount: The number of all trials. All repeats together are at most half of it, rounded up.
  package init(limit: Int, trialCount: Int) {
    self.limit = limit
    left = Guarded((trialCount + 1) / 2)
  }

  /// Runs a trial until the yardsticks around it agree or the limit is reached, and returns the last outcome.
  ///
  /// A trial without a record or without a measured yardstick is not repeated.
  package func run<Outcome>(
    record: WritableKeyPath<Outcome, TrialRecord?>, _ trial: () async throws -> Outcome
  ) async rethrows -> Outcome {
    var outcome = try await trial()
    var count = 0
    while let yardstick = outcome[keyPath: record]?.noise.yardstick, !yardstick.isSteady, takesRepeat(after: count) {
      count += 1
      outcome = try await trial()
    }
    if count > 0 { outcome[keyPath: record]?.noise.repeatCount = count }
    return outcome
  }

  private func takesRepeat(after count: Int) -> Bool {
    guard count < limit else { return false }
    return left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}
