import Ledgers
import MachineCore
import MachineSimulated
import TrialProcesses

/// Records the events and measurements of a short trial, for its story.
// `@unchecked Sendable`: calls come one at a time, from the strand that has the machine's baton. The properties are
// read after the run.
package final class StoryRecorder: TrialTrace, @unchecked Sendable {
  /// The events in the order in which they were recorded, without those of work and notes.
  private(set) var heard: [RecordedEvent] = []
  private(set) var payloads: [Moments] = []
  private(set) var edits: [Moments] = []
  /// The start of each frame that was shown, with the instant of the tick that showed it.
  private(set) var shown: [(start: Instant, instant: Instant)] = []
  private(set) var window: Window?

  package init() {}

  package func record(_ event: ScheduleEvent, strand: Int, at instant: Instant) {
    switch event {
    case .worked, .noted: return
    default: break
    }
    heard.append(RecordedEvent(event: event, strand: strand, instant: instant))
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
