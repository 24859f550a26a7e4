import MachineCore

/// The frames of a trial and the ticks at which they were due.
///
/// A tick posts a frame if no frame is pending or running. Otherwise the tick is missed and counts as missed by the
/// frame before it. A frame is shown at m(f), the first later tick at or after its end.
package struct FrameTimeline: Sendable {
  package let schedule: TickSchedule
  /// The frames in the order in which they ran.
  package let frames: [PostedFrame]

  /// Creates a timeline.
  ///
  /// Traps if a tick was neither posted nor missed, or was posted while a frame was pending or running. In that case
  /// the ticker did not ask a `FrameGate`, and the figures would be meaningless.
  package init(schedule: TickSchedule, frames: [PostedFrame]) {
    self.schedule = schedule
    self.frames = frames
    for (frame, next) in zip(frames, frames.dropFirst()) {
      guard let shown = shownTick(of: frame), shown == next.tick else {
        trapMisuse("After the frame of tick \(frame.tick) the ticker posted tick \(next.tick), which is out of order.")
      }
    }
  }

  /// Returns m(f), the tick at which a frame is shown, or nil while the frame runs.
  package func shownTick(of frame: PostedFrame) -> Int? {
    frame.end.map { max(frame.tick + 1, schedule.firstTick(atOrAfter: $0)) }
  }

  /// Returns t_m(f) of the first frame that starts at or after `instant`: the instant at which the data that the main
  /// thread held at `instant` is seen.
  ///
  /// Returns nil while no such frame has ended. O(log frames).
  package func instantShown(whatIsHeldAt instant: Instant) -> Instant? {
    let index = firstFrame(startingAtOrAfter: instant)
    guard index < frames.count, let tick = shownTick(of: frames[index]) else { return nil }
    return schedule.instant(ofTick: tick)
  }

  /// Returns true if the frames cover the window: a frame has ended whose tick lies at or after the window's end.
  package func covers(_ window: Window) -> Bool {
    guard let last = frames.last(where: { $0.end != nil }) else { return false }
    return schedule.instant(ofTick: last.tick) >= window.end
  }

  private func firstFrame(startingAtOrAfter instant: Instant) -> Int {
    var low = 0
    var high = frames.count
    while low < high {
      let middle = (low + high) / 2
      if frames[middle].start < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - Rows

extension FrameTimeline {
  /// Returns one row for every tick of the window. Times count from the window's start. Traps if the frames do not
  /// cover the window.
  package func rows(in window: Window) -> [FrameRow] {
    guard covers(window) else { trapMisuse("The ticker must run until a frame of a tick after the window has ended.") }
    let ticks = schedule.firstTick(atOrAfter: window.start)..<schedule.firstTick(atOrAfter: window.end)
    var rows: [FrameRow] = []
    rows.reserveCapacity(ticks.count)
    // `next` is the first frame that starts at or after the tick, and `posted` the first that was posted by this tick
    // or a later one.
    var next = firstFrame(startingAtOrAfter: schedule.instant(ofTick: ticks.lowerBound))
    var posted = frames.firstIndex { $0.tick >= ticks.lowerBound } ?? frames.count
    for tick in ticks {
      let due = schedule.instant(ofTick: tick)
      while frames[next].start < due { next += 1 }
      var row = FrameRow(tick: tick, due: due - window.start, lateness: frames[next].start - due)
      if frames[posted].tick == tick {
        row.frame = ran(frames[posted], since: window.start)
        posted += 1
      }
      rows.append(row)
    }
    return rows
  }

  private func ran(_ frame: PostedFrame, since origin: Instant) -> FrameRow.Frame? {
    guard let end = frame.end, let shown = shownTick(of: frame) else { return nil }
    return FrameRow.Frame(
      start: frame.start - origin, end: end - origin, shownTick: shown,
      late: frame.start - schedule.instant(ofTick: frame.tick), missedCount: shown - frame.tick - 1,
      cause: frame.cause, wait: frame.wait)
  }
}

extension FrameTimeline {
  /// Returns the frames of the window that started more than one interval after their tick. Times count from the
  /// window's start.
  ///
  /// The reasons are those that the `MainQueueLedger` recorded, keyed by the tick. A frame without a recorded reason
  /// gets an empty one.
  package func stalls(in window: Window, reasons: [Int: StallReason] = [:]) -> [StallRow] {
    rows(in: window).compactMap { row in
      guard let frame = row.frame, frame.late > schedule.interval(afterTick: row.tick) else { return nil }
      return StallRow(
        tick: row.tick, start: row.due, duration: frame.late, cause: frame.cause,
        reason: reasons[row.tick] ?? StallReason())
    }
  }
}

// MARK: - Measures

extension FrameTimeline {
  package func measures(in window: Window) -> FrameMeasures {
    let rows = rows(in: window)
    let missed = rows.filter { $0.frame == nil }
    let hitchTotal = missed.reduce(TimeSpan.zero) { $0 + schedule.interval(afterTick: $1.tick) }
    return FrameMeasures(
      hitchTotal: hitchTotal,
      hitchMicrosecondsPerSecond: dividedHalfUp(
        Int128(hitchTotal.nanoseconds) * 1_000_000, by: window.length.nanoseconds),
      ticksCount: rows.count,
      droppedCount: missed.count,
      hangsCount: rows.filter { $0.frame.map { $0.late >= FrameMeasures.hang } ?? false }.count,
      secondsBelow30FPSCount: secondsBelow30FPS(in: window),
      stalls: NearestRank(rows.lazy.map(\.lateness.nanoseconds)))
  }

  /// Returns the number of whole seconds of the window in which fewer than 30 frames were shown.
  private func secondsBelow30FPS(in window: Window) -> Int {
    var shownCounts = [Int](repeating: 0, count: Int(window.length.nanoseconds / 1_000_000_000))
    for frame in frames {
      guard let tick = shownTick(of: frame) else { continue }
      let shown = (schedule.instant(ofTick: tick) - window.start).nanoseconds
      guard shown >= 0, shown / 1_000_000_000 < shownCounts.count else { continue }
      shownCounts[Int(shown / 1_000_000_000)] += 1
    }
    return shownCounts.filter { $0 < 30 }.count
  }
}
