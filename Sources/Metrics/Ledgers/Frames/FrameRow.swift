import MachineCore

/// A row of `frames.csv`: one tick of the window. Times count from w₀.
package struct FrameRow: Hashable, Sendable, Codable {
  /// The frame that the tick posted.
  package struct Frame: Hashable, Sendable, Codable {
    package var start: TimeSpan
    package var end: TimeSpan
    /// m(f), the tick at which the frame is shown.
    package var shownTick: Int
    /// The time from the tick to the frame's start.
    package var late: TimeSpan
    /// The number of ticks that the frame missed.
    package var missedCount: Int
    package var cause: TimeLabel
    /// The time for which the frame itself was parked.
    package var wait: TimeSpan

    package init(
      start: TimeSpan, end: TimeSpan, shownTick: Int, late: TimeSpan, missedCount: Int, cause: TimeLabel, wait: TimeSpan
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
  package var due: TimeSpan
  /// L_k, the time from the tick to the start of the first frame at or after it.
  package var lateness: TimeSpan
  /// The frame that the tick posted, or nil if the tick was missed.
  package var frame: Frame?

  package init(tick: Int, due: TimeSpan, lateness: TimeSpan, frame: Frame? = nil) {
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
  package var start: TimeSpan
  /// The time from the tick to the frame's start.
  package var duration: TimeSpan
  package var cause: TimeLabel
  package var reason: StallReason

  package init(tick: Int, start: TimeSpan, duration: TimeSpan, cause: TimeLabel, reason: StallReason = StallReason()) {
    self.tick = tick
    self.start = start
    self.duration = duration
    self.cause = cause
    self.reason = reason
  }
}
