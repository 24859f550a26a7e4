import MachineCore

/// The reason why a simulation could not continue.
package struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Strands wait for each other in a circle.
    case deadlock
    /// Strands wait for a turn that will not be passed on.
    case lostWakeUp
    case timeLimit
    case eventLimit
  }

  package var code: Code
  /// The virtual time at which the failure was found.
  package var instant: Instant
  /// A sentence that describes the failure.
  package var message: String
  /// The waits of the strands concerned, one sentence each: the turn, the strand that holds it, and where it was asked
  /// for.
  package var waits: [String]

  package init(_ code: Code, at instant: Instant, _ message: String, waits: [String] = []) {
    self.code = code
    self.instant = instant
    self.message = message
    self.waits = waits
  }

  /// The message and the waits in one line.
  package var description: String {
    ([message] + waits).joined(separator: "; ")
  }
}
