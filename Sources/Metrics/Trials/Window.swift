import MachineCore

/// W = [w₀, w₁): the stretch of a trial that is measured.
package struct Window: Hashable, Sendable, Codable {
  /// w₀, the intended arrival of payload 0.
  package let start: Instant
  /// w₁, always a tick; not part of the window.
  package let end: Instant

  package init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }

  package var length: Span { end - start }

  package func contains(_ instant: Instant) -> Bool {
    start <= instant && instant < end
  }
}

extension Window {
  /// The window that the ledgers of a trial at rest give; nil while a change that a screen holds waits for its frame.
  ///
  /// It ends at the first tick at or after the last of: last payload durable; last payload visible or, where nothing
  /// makes the payloads visible, the end of the last main block that one caused; last edit shown and durable.
  package init?(schedule: TickSchedule, payloads: PayloadLedger, edits: EditLedger, frames: FrameTimeline) {
    guard
      let payloadEnd = payloads.lastInstant(shownBy: frames),
      let editEnd = edits.lastInstant(shownBy: frames)
    else { return nil }
    let last = max(schedule.windowStart, payloadEnd, editEnd)
    self.init(start: schedule.windowStart, end: schedule.instant(ofTick: schedule.firstTick(atOrAfter: last)))
  }
}
