import MachineCore

/// The part of a trial that is measured: W = [w₀, w₁).
package struct Window: Hashable, Sendable, Codable {
  /// w₀, the intended arrival of payload 0.
  package let start: Instant
  /// w₁, which is always a tick and not part of the window.
  package let end: Instant

  package init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }

  package var length: TimeSpan { end - start }

  package func contains(_ instant: Instant) -> Bool {
    start <= instant && instant < end
  }
}

extension Window {
  /// Creates the window of a trial at rest from its ledgers, or returns nil while a change that a screen holds waits
  /// for its frame.
  ///
  /// The window ends at the first tick at or after the last of these instants: the last payload becomes durable; the
  /// last payload becomes visible or, if payloads do not all become visible, the last main block that a payload caused
  /// ends; the last edit is shown and durable.
  package init?(schedule: TickSchedule, payloads: PayloadLedger, edits: EditLedger, frames: FrameTimeline) {
    guard
      let payloadEnd = payloads.lastInstant(shownBy: frames),
      let editEnd = edits.lastInstant(shownBy: frames)
    else { return nil }
    let last = max(schedule.windowStart, payloadEnd, editEnd)
    self.init(start: schedule.windowStart, end: schedule.instant(ofTick: schedule.firstTick(atOrAfter: last)))
  }
}
