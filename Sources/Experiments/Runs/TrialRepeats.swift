import MachineCore
import Metrics

/// Decides whether a live trial is repeated because the computer's speed changed during it.
package final class TrialRepeats: Sendable {
  package static let standardLimit = 2

  private let limit: Int
  /// The repeats that all trials together have left.
  private let left: Guarded<Int>

  /// - Parameters:
  ///   - limit: The most repeats of one trial.
  ///   - trialCount: The number of all trials, of which at most half as many are repeated, rounded up.
  package init(limit: Int, trialCount: Int) {
    self.limit = limit
    left = Guarded((trialCount + 1) / 2)
  }

  /// Runs a trial until the yardsticks around it agree or the limit is reached, and returns the last outcome.
  ///
  /// A trial that failed is not repeated, nor is one whose yardstick was not measured.
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
