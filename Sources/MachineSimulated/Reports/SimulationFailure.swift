import MachineCore

/// Why a simulation could not go on.
package struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Strands wait for each other in a circle.
    case deadlock
    /// Strands wait for what nobody will give them.
    case lostWakeUp
    case timeLimit
    case eventLimit
  }

  package var code: Code
  /// When it was found.
  package var instant: Instant
  /// What was wrong, in one sentence.
  package var message: String
  /// Who waits for what, who holds it and where it was asked for; a strand each.
  package var waits: [String]

  package init(_ code: Code, at instant: Instant, _ message: String, waits: [String] = []) {
    self.code = code
    self.instant = instant
    self.message = message
    self.waits = waits
  }

  /// One line.
  package var description: String {
    ([message] + waits).joined(separator: "; ")
  }
}
