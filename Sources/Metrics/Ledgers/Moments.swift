import MachineCore

/// The instants of the events of one payload or one edit.
package struct Moments: Hashable, Sendable {
  /// The number of the payload or the edit.
  package let number: Int
  /// The instant at which the payload or the edit was due.
  package let due: Instant
  /// The instant at which the edit's save returned; nil for a payload.
  package let acknowledged: Instant?
  /// The instant at which the COMMIT that holds it returned, or nil if there was no such COMMIT.
  package let durable: Instant?
  /// The instant at which the screens concerned showed it, or nil if they did not.
  package let shown: Instant?
}
