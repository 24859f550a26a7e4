import MachineCore

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
    mainStatementsCount = Int64(time.statementsCount)
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
    screensDisagreeNanoseconds = payloads.disagreement?.nanoseconds
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

  /// Sets the columns of the work in flight.
  package mutating func set(_ computations: ComputationMeasures) {
    func count(_ fate: ComputationFate) -> Int64 { Int64(computations.fates.count { $0 == fate }) }
    inFlightStartedCount = Int64(computations.fates.count)
    inFlightAppliedCount = count(.applied)
    inFlightFailedCount = count(.failed)
    inFlightDiscardedCount = count(.discarded)
    inFlightCancelledCount = count(.cancelled)
    inFlightRestoredCount = Int64(computations.restoredCount)
    let waits = NearestRank(computations.waits.map(\.nanoseconds))
    inFlightWaitNanosecondsP50 = waits[percent: 50]
    inFlightWaitNanosecondsMaximum = waits.maximum
  }

  /// Fills in the columns that count reported work. The merged objects are insertions, and changes of objects that are
  /// not registered, faults or realised.
  package mutating func set(_ work: WorkCounts) {
    sqlStatementsCount = Int64(work[.statementRun])
    commitsCount = Int64(work[.commit])
    rowsWrittenCount = Int64(work[.rowWritten] + work[.batchRowWritten])
    rowsFetchedCount = Int64(work[.rowStepped])
    faultsFiredCount = Int64(work[.faultFired])
    objectsMergedCount = Int64(
      work[.insertionMerged] + work[.changeMergedUnregistered] + work[.changeMergedFault] + work[.changeMergedRealised])
    performCount = Int64(work[.perform])
    performAndWaitCount = Int64(work[.performAndWait])
    contextsMadeCount = Int64(work[.contextMade])
    conflictsCount = Int64(work[.conflict])
  }
}
