/// A source of turns for a run whose trials wait for another program.
package protocol TrialTurns: Sendable {
  /// Announces a trial and suspends until its turn has come.
  ///
  /// - Returns: False if there are no more turns.
  /// - Throws: `RunFailure` if the trial cannot be announced.
  func waitForTurn(of title: String) async throws -> Bool
}
