import MachineCore

/// The ledgers that recorded the events of one trial.
package struct TrialLedgers: Sendable {
  package let schedule: TickSchedule
  package let mainQueue: MainQueueLedger
  package let payloads: PayloadLedger
  package let edits: EditLedger

  package init(schedule: TickSchedule, mainQueue: MainQueueLedger, payloads: PayloadLedger, edits: EditLedger) {
    self.schedule = schedule
    self.mainQueue = mainQueue
    self.payloads = payloads
    self.edits = edits
  }

  /// The frames so far. Read them on the main thread, or once it is at rest.
  package var frames: FrameTimeline {
    FrameTimeline(schedule: schedule, frames: mainQueue.frames)
  }

  /// Returns the window of a trial at rest, or nil until both the last frame that shows a change and a frame after the
  /// window have ended.
  ///
  /// As long as it returns nil, let the ticker run on and call it again.
  package func window(_ frames: FrameTimeline) -> Window? {
    guard let window = Window(schedule: schedule, payloads: payloads, edits: edits, frames: frames) else { return nil }
    return frames.covers(window) ? window : nil
  }
}
