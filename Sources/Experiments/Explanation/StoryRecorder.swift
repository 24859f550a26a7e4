import MachineCore
import MachineSimulated
import Metrics
import Tracing

/// Keeps everything that a short trial does, for its story.
// `@unchecked Sendable`: heard one call at a time, by whoever has the machine's baton; read after the run.
package final class StoryRecorder: TrialTrace, @unchecked Sendable {
  struct Heard {
    var event: ScheduleEvent
    var strand: Int
    var instant: Instant
  }

  private(set) var heard: [Heard] = []
  private(set) var payloads: [Moments] = []
  private(set) var edits: [Moments] = []
  /// The instants at which ticks showed what frames had drawn, with the start of the frame.
  private(set) var shown: [(start: Instant, instant: Instant)] = []
  private(set) var window: Window?

  package init() {}

  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    switch event {
    case .worked, .noted: return
    default: break
    }
    heard.append(Heard(event: event, strand: strand, instant: instant))
  }

  package func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window) {
    payloads = ledgers.payloads.moments(shownBy: frames)
    edits = ledgers.edits.moments(shownBy: frames)
    shown = frames.frames.compactMap { frame in
      frames.shownTick(of: frame).map { (frame.start, frames.schedule.instant(ofTick: $0)) }
    }
    self.window = window
  }
}
