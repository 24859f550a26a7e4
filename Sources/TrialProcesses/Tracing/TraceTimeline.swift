import Ledgers
import MachineCore

/// The events of a trial that come from its ledgers and not from its schedule: frames, payloads, edits and the window.
struct TraceTimeline {
  let ledgers: TrialLedgers
  let frames: FrameTimeline
  let window: Window

  /// The events, grouped by track and in the order of time within each group. The two ends of the window come last.
  var events: [TraceEvent] {
    expectedFrames + actualFrames
      + instants(ledgers.payloads.moments(shownBy: frames), "payload", TraceTracks.payloads, due: "arrives")
      + instants(ledgers.edits.moments(shownBy: frames), "edit", TraceTracks.edits, due: "is due")
      + [
        TraceEvent(.instant, "window begins", track: TraceTracks.expectedFrames, at: window.start),
        TraceEvent(.instant, "window ends", track: TraceTracks.expectedFrames, at: window.end),
      ]
  }

  /// The interval of each tick before the last one at which a frame was shown, or, if the last frame was not shown, up
  /// to the tick of that frame.
  private var expectedFrames: [TraceEvent] {
    let schedule = frames.schedule
    let end = frames.frames.last.map { frames.shownTick(of: $0) ?? $0.tick + 1 } ?? 0
    return (0..<end).map { tick in
      TraceEvent(
        .complete, "tick \(tick)", track: TraceTracks.expectedFrames, at: schedule.instant(ofTick: tick),
        lasting: schedule.interval(afterTick: tick))
    }
  }

  /// The slices of the frames that were shown, from start to end, with the tick at which each was shown.
  /// A frame has a cause only if it was shown later than at the next tick.
  private var actualFrames: [TraceEvent] {
    let schedule = frames.schedule
    return frames.frames.compactMap { frame in
      guard let end = frame.end, let shown = frames.shownTick(of: frame) else { return nil }
      let due = schedule.instant(ofTick: frame.tick)
      let isLate = shown > frame.tick + 1
      var arguments: [(String, TraceValue)] = [
        ("late", .flag(isLate)), ("tick", .number(Int64(frame.tick))), ("shown_tick", .number(Int64(shown))),
        ("late_ns", .number((frame.start - due).nanoseconds)), ("missed", .number(Int64(shown - frame.tick - 1))),
        ("wait_ns", .number(frame.wait.nanoseconds)),
      ]
      if isLate { arguments.append(("cause", .text(frame.cause.name))) }
      return TraceEvent(
        .complete, isLate ? "frame \(frame.tick), late" : "frame \(frame.tick)", track: TraceTracks.actualFrames,
        at: frame.start, lasting: end - frame.start, arguments)
    }
  }

  private func instants(_ moments: [Moments], _ kind: String, _ track: Int, due: String) -> [TraceEvent] {
    let all = moments.flatMap { $0.sentences(kind, due: due) }
    let ordered = all.enumerated().sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
    return ordered.map { TraceEvent(.instant, $0.element.text, track: track, at: $0.element.instant) }
  }
}

extension Moments {
  /// Returns the instants that are known, each with its words, such as `payload 3 is durable`. The first is the one at
  /// which the payload or the edit was due.
  package func sentences(_ kind: String, due beginning: String) -> [(instant: Instant, text: String)] {
    let all: [(Instant?, String)] = [
      (due, beginning), (acknowledged, "is acknowledged"), (durable, "is durable"), (shown, "is visible"),
    ]
    return all.compactMap { instant, text in instant.map { ($0, "\(kind) \(number) \(text)") } }
  }
}
