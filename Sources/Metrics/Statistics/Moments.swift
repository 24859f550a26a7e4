import MachineCore

/// What became of one payload or one edit, and when.
package struct Moments: Hashable, Sendable {
  /// Of the payload or the edit.
  package let number: Int
  /// Its intended instant.
  package let due: Instant
  /// When an edit's save returned; nil of a payload.
  package let acknowledged: Instant?
  /// When the COMMIT that holds it returned, if one did.
  package let durable: Instant?
  /// When the screens concerned showed it, if they did.
  package let shown: Instant?

  package init(number: Int, due: Instant, acknowledged: Instant? = nil, durable: Instant?, shown: Instant?) {
    self.number = number
    self.due = due
    self.acknowledged = acknowledged
    self.durable = durable
    self.shown = shown
  }
}
