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

extension TrialMeasures {
  /// Creates the measures that follow from the ledgers.
  ///
  /// - Parameters:
  ///   - ledgers: The ledgers of the trial.
  ///   - frames: The frames of the trial.
  ///   - window: The window that is measured.
  ///   - rowCount: The number of imported records.
  package init(_ ledgers: TrialLedgers, frames: FrameTimeline, window: Window, rowCount: Int) {
    self.init()
    windowNanoseconds = window.length.nanoseconds
    set(frames.measures(in: window))
    set(ledgers.mainQueue.time(in: window))
    set(ledgers.payloads.measures(in: window, frames: frames), rowCount: rowCount)
    set(ledgers.edits.measures(frames: frames))
  }

  private mutating func set(_ frames: FrameMeasures) {
    hitchTotalNanoseconds = frames.hitchTotal.nanoseconds
    hitchMicrosecondsPerSecond = frames.hitchMicrosecondsPerSecond
    ticksCount = Int64(frames.ticksCount)
    framesDroppedCount = Int64(frames.droppedCount)
    hangsCount = Int64(frames.hangsCount)
    secondsBelow30FPSCount = Int64(frames.secondsBelow30FPSCount)
    stallNanosecondsP50 = frames.stalls[percent: 50]
    stallNanosecondsP95 = frames.stalls[percent: 95]
    stallNanosecondsP99 = frames.stalls[percent: 99]
    stallNanosecondsMaximum = frames.stalls.maximum
  }

  private mutating func set(_ time: MainQueueTime) {
    mainBusyNanoseconds = time.mainBusy.nanoseconds
    mainCPUNanoseconds = time.mainCPU.nanoseconds
    mainDecodeNanoseconds = time[.decode].nanoseconds
    mainImportNanoseconds = time[.importing].nanoseconds
    mainFetchNanoseconds = time[.fetch].nanoseconds
    mainFaultNanoseconds = time[.fault].nanoseconds
    mainPushNanoseconds = time[.push].nanoseconds
    mainSaveNanoseconds = time[.save].nanoseconds
    mainControllerNanoseconds = time[.controller].nanoseconds
    mainMergeNanoseconds = time[.merge].nanoseconds
    mainResetNanoseconds = time[.reset].nanoseconds
    mainEditNanoseconds = time[.edit].nanoseconds
    mainWaitNanoseconds = time[.wait].nanoseconds
    mainOtherNanoseconds = time[.other].nanoseconds
    frameBusyNanoseconds = time.frameBusy.nanoseconds
    frameCPUNanoseconds = time.frameCPU.nanoseconds
    frameFaultNanoseconds = time[.frameFault].nanoseconds
    frameWaitNanoseconds = time[.frameWait].nanoseconds
  }

  private mutating func set(_ payloads: PayloadMeasures, rowCount: Int) {
    importNanoseconds = payloads.importTime?.nanoseconds
    visibleNanoseconds = payloads.visibleTime?.nanoseconds
    if let importNanoseconds, importNanoseconds > 0 {
      rowsPerSecond = dividedHalfUp(Int128(rowCount) * 1_000_000_000, by: importNanoseconds)
    }
    timeToVisibleNanosecondsP50 = payloads.timesToVisible?[percent: 50]
    timeToVisibleNanosecondsP99 = payloads.timesToVisible?[percent: 99]
    timeToVisibleNanosecondsMaximum = payloads.timesToVisible?.maximum
    screensDisagreeNanosecondsMaximum = payloads.disagreementMaximum?.nanoseconds
    timeToDurableNanosecondsP50 = payloads.timesToDurable?[percent: 50]
    timeToDurableNanosecondsP99 = payloads.timesToDurable?[percent: 99]
    timeToDurableNanosecondsMaximum = payloads.timesToDurable?.maximum
    atRiskNanosecondsMaximum = payloads.atRiskMaximum?.nanoseconds
  }

  private mutating func set(_ edits: EditMeasures) {
    editResponseNanosecondsP50 = edits.responses?[percent: 50]
    editResponseNanosecondsP99 = edits.responses?[percent: 99]
    editResponseNanosecondsMaximum = edits.responses?.maximum
    editAtRiskNanosecondsMaximum = edits.atRiskMaximum?.nanoseconds
  }
}
