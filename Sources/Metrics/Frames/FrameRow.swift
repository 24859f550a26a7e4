import MachineCore

/// A row of `frames.csv`: one tick of the window. Times count from w₀.
package struct FrameRow: Hashable, Sendable, Codable {
  /// The frame that the tick posted.
  package struct Frame: Hashable, Sendable, Codable {
    package var start: Span
    package var end: Span
    /// m(f), the tick at which the frame is shown.
    package var shownTick: Int
    /// The time from the tick to the frame's start.
    package var late: Span
    /// The number of ticks that the frame missed.
    package var missedCount: Int
    package var cause: TimeLabel
    /// The time for which the frame itself was parked.
    package var wait: Span

    package init(
      start: Span, end: Span, shownTick: Int, late: Span, missedCount: Int, cause: TimeLabel, wait: Span
    ) {
      self.start = start
      self.end = end
      self.shownTick = shownTick
      self.late = late
      self.missedCount = missedCount
      self.cause = cause
      self.wait = wait
    }
  }

  package var tick: Int
  package var due: Span
  /// L_k, the time from the tick to the start of the first frame at or after it.
  package var lateness: Span
  /// The frame that the tick posted, or nil if the tick was missed.
  package var frame: Frame?

  package init(tick: Int, due: Span, lateness: Span, frame: Frame? = nil) {
    self.tick = tick
    self.due = due
    self.lateness = lateness
    self.frame = frame
  }
}

/// A row of `stalls.csv`: a frame that started more than one interval after its tick. Times count from w₀.
package struct StallRow: Hashable, Sendable, Codable {
  package var tick: Int
  /// The time at which the tick was due.
  package var start: Span
  /// The time from the tick to the frame's start.
  package var duration: Span
  package var cause: TimeLabel
  package var reason: StallReason

  package init(tick: Int, start: Span, duration: Span, cause: TimeLabel, reason: StallReason = StallReason()) {
    self.tick = tick
    self.start = start
    self.duration = duration
    self.cause = cause
    self.reason = reason
  }
}
