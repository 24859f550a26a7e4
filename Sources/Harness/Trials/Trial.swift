import ContextEngine
import Foundation
import MachineCore
import Metrics
import Topologies
import Workloads

/// A run of one topology on one workload: an import into a populated store while the user scrolls and edits.
///
/// A trial runs once, on a thread that does not belong to the machine's queues.
package final class Trial: Sendable {
  let plan: TrialPlan
  let machine: any Machine
  private let work: WorkLedger
  let mainQueue: MainQueueLedger
  let instruments: TrialInstruments
  /// The link to the process of the import, or nil if there is no such process.
  private let link = Guarded<ImportLink?>(nil)

  /// The name of the store in the trial's scratch folder. The store is closed at the end of the trial, and stays there.
  package static let storeFileName = "store.sqlite"

  /// The time between two checks for the end of the trial.
  private static let pollInterval = TimeSpan.milliseconds(2)
  /// The time from the creation of the schedule to its first tick.
  private static let leadTime = TimeSpan.milliseconds(10)

  package init(
    plan: TrialPlan, machine: any Machine, work: WorkLedger, mainQueue: MainQueueLedger, instruments: TrialInstruments
  ) {
    self.plan = plan
    self.machine = machine
    self.work = work
    self.mainQueue = mainQueue
    self.instruments = instruments
  }

  /// Warms up, measures and checks the data. Blocks until all of it is done.
  ///
  /// - Returns: The record, and sentences that say what is wrong with the data, empty if the data are right.
  /// - Throws: The error that stopped the import or an edit, `WorkloadError` or `VerificationError` if files are
  ///   damaged, or `UnmetFault`.
  package func run() throws -> (record: TrialRecord, complaints: [String]) {
    let archive = try instruments.openWorkload(URL(fileURLWithPath: plan.archive))
    let schema = try EngineSchema(archive.schema, hasComputationInputs: plan.options.inFlight != .off)
    try startImportProcess()
    defer { endImportProcess() }
    for number in 0..<plan.options.warmup { try warmUp(number, archive: archive, schema: schema) }

    let started = machine.now
    let storePath = path(of: Self.storeFileName)
    try BaseStore.copy(from: plan.baseStore, to: storePath)
    let contextsBefore = work.count(.contextMade)
    let journal = try plan.options.fileFault.map { _ in try AppJournal(writingTo: path(of: Self.journalName)) }
    let session = try open(archive, schema: schema, storePath: storePath, journal: journal)
    let workBefore = WorkCounts(of: work)
    let busyRetriesBefore = instruments.busyRetries.count
    let measured = try measure(session, archive: archive, schema: schema)
    var measures = TrialMeasures(
      measured.ledgers, frames: measured.frames, window: measured.window,
      rowCount: archive.payloads.reduce(0) { $0 + $1.recordCount })
    let second = measured.second
    let counted = measured.work - workBefore + second.work
    measures.set(counted)
    measures.contextsMadeCount = Int64(measured.work[.contextMade] - contextsBefore + second.contextsMadeCount)
    measures.busyRetriesCount = Int64(measured.busyRetriesCount - busyRetriesBefore + second.busyRetriesCount)
    measures.totalCPUNanoseconds = measured.cpu.nanoseconds
    measures.firstFetchNanoseconds = session.firstFetch?.nanoseconds
    measures.heapPeakBytes = measured.heap.map { Int64($0.peakBytes) }
    measures.allocatedBytes = measured.heap.map { Int64($0.allocatedBytes) }
    measures.yardstickNanoseconds = measured.noise.yardstick?.meanNanoseconds
    measures.stealNanoseconds = measured.stolen?.nanoseconds
    measures.mergeBacklogMaximum = Int64(session.tracker.largestMergeBacklog)

    let verifier = TrialVerifier(
      machine: machine, archive: archive, schema: schema, topology: plan.topology,
      findsRows: plan.options.lookup != .none)
    let complaints = try verifier.verify(
      session, journal: measured.journal, computations: measured.computations, storePath: storePath,
      baseStore: plan.baseStore, measures: &measures)
    try checkFault()
    let record = TrialRecord(
      identity: identity(archive, started: started), measures: measures,
      frames: measured.frames.rows(in: measured.window),
      stalls: measured.frames.stalls(in: measured.window, reasons: mainQueue.stallReasons), noise: measured.noise,
      work: counted,
      counts: WorkloadCounts(
        insertedCount: archive.changes.inserted, updatedCount: archive.changes.updated,
        deletedCount: archive.changes.deleted, listLength: archive.listLength))
    return (record, complaints)
  }

  /// Starts the process of the import if the topology has one.
  func startImportProcess() throws {
    guard plan.topology.importsInSecondProcess else { return }
    guard let start = instruments.startImportProcess else {
      trapMisuse("\(plan.topology.title) imports in a second process, which this machine does not have")
    }
    let started = try ImportLink { [plan] receive in try start(plan, receive) }
    link.withLock { $0 = started }
  }

  /// Ends the process of the import if there is one, and blocks until it has ended.
  func endImportProcess() {
    link.withLock { $0 }?.end()
  }

  /// The part of the topology that this process wires.
  private var process: ProcessPart { link.withLock { $0 }.map(ProcessPart.app) ?? .whole }

  func path(of name: String) -> String {
    URL(fileURLWithPath: plan.scratch).appendingPathComponent(name).path
  }

  private func identity(_ archive: WorkloadArchive, started: Instant) -> TrialIdentity {
    TrialIdentity(
      topology: plan.topology.id, variant: plan.topology.variant,
      machine: plan.profile == nil ? "live" : "simulated", profile: plan.profile,
      workload: archive.options.workload.name, rows: archive.options.rows ?? 0, seed: plan.options.seed,
      trial: plan.trial, pid: plan.profile == nil ? Int(ProcessInfo.processInfo.processIdentifier) : nil,
      startedNanoseconds: started.nanoseconds)
  }
}

// MARK: - Before the window

extension Trial {
  /// Imports once into a separate store, without ticks or edits, and deletes that store.
  func warmUp(_ number: Int, archive: WorkloadArchive, schema: EngineSchema) throws {
    let storePath = path(of: "warm-up-\(number).sqlite")
    try BaseStore.copy(from: plan.baseStore, to: storePath)
    let session = try TrialSession(
      .init(
        machine: machine, plan: plan, archive: archive, schema: schema, instruments: instruments,
        storePath: storePath, process: process, recordLimit: TrialSession.warmUpRecords))
    try session.openScreens()
    session.running.start(at: machine.now)
    try wait(for: session) { session.isImported && session.isAtRest() }
    try session.close()
    try BaseStore.remove(storePath)
  }

  /// Opens the store and the screens, which fetch their lists and read their cells. Screens that open at the first
  /// payload stay closed.
  func open(
    _ archive: WorkloadArchive, schema: EngineSchema, storePath: String, journal: AppJournal? = nil
  ) throws -> TrialSession {
    let session = try TrialSession(
      .init(
        machine: machine, plan: plan, archive: archive, schema: schema, instruments: instruments,
        storePath: storePath, process: process, journal: journal))
    if plan.options.openScreens == .before { try session.openScreens() }
    return session
  }

  /// The time before the limit at which a trial reports that it does not end. At the limit, the machine ends it with a
  /// report that names threads only.
  private static let reportTime = TimeSpan.seconds(1)

  /// Polls until `condition` returns true, and throws the error of the session if it has failed.
  ///
  /// - Throws: The error, or `UnendedTrial` shortly before the limit of virtual time.
  func wait(for session: TrialSession, until condition: () -> Bool) throws {
    while !condition(), session.failure == nil {
      let now = machine.now
      if let limit = instruments.virtualTimeLimit, now.nanoseconds > (limit - Self.reportTime).nanoseconds {
        _ = Unmanaged.passRetained(session)
        throw UnendedTrial(limit: limit, waits: session.waits)
      }
      machine.wait(until: now + Self.pollInterval)
    }
    guard let failure = session.failure else { return }
    // Blocks of the other lanes may be queued, and use parts of the session until the process ends.
    _ = Unmanaged.passRetained(session)
    throw failure
  }
}

// MARK: - The fault

extension Trial {
  /// The name of the journal in the trial's scratch folder.
  static let journalName = "journal.jsonl"

  /// Lets the fault of the plan, if it has one, occur in the import. `willOccur` is called right before that.
  func armFault(willOccur: @escaping @Sendable () -> Void = {}) {
    guard let fault = plan.options.fileFault else { return }
    guard let faults = instruments.faults else { trapMisuse("\(fault) cannot occur without the instruments of faults") }
    faults.arm(fault, willOccur: willOccur)
  }

  /// Checks that the fault of the plan has occurred, if the plan has one.
  func checkFault() throws(UnmetFault) {
    guard let fault = plan.options.fileFault, let left = instruments.faults?.callsLeft, left > 0 else { return }
    throw UnmetFault(fault: fault, callCount: fault.number - left)
  }
}

// MARK: - The window

extension Trial {
  /// The ledgers and readings of the measured window.
  private struct Measured {
    let ledgers: TrialLedgers
    let frames: FrameTimeline
    let window: Window
    let work: WorkCounts
    let busyRetriesCount: Int
    /// The figures of the process of the import, which are zero without such a process.
    let second: ImportFigures
    let cpu: TimeSpan
    let heap: HeapFigures?
    let noise: TrialNoise
    let stolen: TimeSpan?
    let journal: EditJournal
    /// The computations whose input the user has deleted, or nil if the run has none.
    let computations: [Computation.Record]?
  }

  /// The display link, the user's edits and the computations, which run once they are started.
  struct Drive {
    let schedule: TickSchedule
    let edits: UserEdits
    /// The computations whose input the user deletes, or nil if the run has none.
    let inFlight: WorkInFlight?
    let display: DisplayLink

    /// The error that stopped the edits or the computations, or nil if there was none.
    var failure: PersistenceError? { edits.failure ?? inFlight?.failure }

    /// True if no further edit or computation is due, and none has begun that has not ended.
    var isDone: Bool { edits.hasStopped && edits.isIdle && inFlight?.isIdle ?? true }

    /// Stops all of them, so that virtual time does not continue without end.
    func stop() {
      edits.stop()
      inFlight?.stop()
      display.stop()
    }
  }

  /// Makes the display link, the edits and the computations of a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - archive: The workload.
  ///   - schema: The model of the workload.
  ///   - soak: The soak of which the import is a round, or nil for an import that is measured. The first edit of a round
  ///     is due at tick 0, and scrolling goes on where the round before it has ended.
  /// - Returns: The parts, which do not run yet.
  func drive(
    _ session: TrialSession, archive: WorkloadArchive, schema: EngineSchema, soak: SoakProgress? = nil
  ) -> Drive {
    // The schedule is made on the main queue, so that the ledger starts before tick 0, however long that takes.
    let schedule = machine.mainQueue.sync {
      let schedule = TickSchedule(
        start: machine.now + Self.leadTime, refreshRate: plan.options.refreshRate,
        arrivalPhase: plan.options.arrivalPhase)
      mainQueue.start(schedule)
      mainQueue.stampsBlockEnds(of: session.payloads, session.edits)
      return schedule
    }
    let inFlight = schema.computationInputs.map { inputs in
      WorkInFlight(
        machine: machine, policy: plan.options.inFlight, stack: session.stack, inputs: inputs,
        windowStart: schedule.windowStart, spendCPU: instruments.spendCPU)
    }
    let edits = UserEdits(
      machine: machine, options: plan.options, stack: session.stack, screens: session.screens, archive: archive,
      windowStart: soak == nil ? schedule.windowStart : schedule.start, ledger: session.edits,
      tracker: session.tracker, journal: soak?.journal ?? session.journal, inFlight: inFlight,
      first: soak?.nextEdit ?? 0)
    let display = DisplayLink(
      machine: machine, schedule: schedule, ledger: mainQueue, runQueueWait: instruments.runQueueWait,
      drawFrame: frameDrawer(
        session, schedule: schedule, scrollStart: soak?.start ?? schedule.windowStart, edits: edits,
        inFlight: inFlight))
    return Drive(schedule: schedule, edits: edits, inFlight: inFlight, display: display)
  }

  private func measure(
    _ session: TrialSession, archive: WorkloadArchive, schema: EngineSchema
  ) throws -> Measured {
    let stolenBefore = instruments.stolenTime()
    let yardstickBefore = readYardstick()
    let drive = drive(session, archive: archive, schema: schema)
    let (schedule, edits, display) = (drive.schedule, drive.edits, drive.display)
    session.journal?.write(.windowStart(at: schedule.windowStart))
    let mainWaitBefore = machine.mainQueue.sync { instruments.runQueueWait() }
    display.start()
    var hasEnded = false
    defer { if !hasEnded { drive.stop() } }
    machine.wait(until: schedule.windowStart - .milliseconds(2))
    instruments.heap.openWindow()
    let cpuBefore = instruments.processCPU()
    session.running.openWindow()
    if plan.options.openScreens == .atFirstPayload { session.openScreens(at: schedule.windowStart) }
    armFault()
    session.running.start(at: schedule.windowStart)
    edits.start()
    drive.inFlight?.start()

    try wait(for: session) { drive.failure != nil || drive.isDone }
    if let failure = drive.failure { throw failure }
    try wait(for: session) { session.isAtRest() && session.isAtRest() && session.edits.isAllDurable }
    let heap = instruments.heap.closeWindow()
    let cpu = instruments.processCPU() - cpuBefore
    let counted = WorkCounts(of: work)
    let busyRetriesCount = instruments.busyRetries.count
    let second = try session.running.closeWindow()
    let ledgers = TrialLedgers(
      schedule: schedule, mainQueue: mainQueue, payloads: session.payloads, edits: session.edits)
    var found: (FrameTimeline, Window)?
    try wait(for: session) {
      found = machine.mainQueue.sync {
        let frames = ledgers.frames
        return ledgers.window(frames).map { (frames, $0) }
      }
      return found != nil
    }
    display.stop()
    hasEnded = true
    let mainWaitAfter = machine.mainQueue.sync { instruments.runQueueWait() }
    let yardstickAfter = readYardstick()
    let stolen = difference(from: stolenBefore, to: instruments.stolenTime())
    guard let (frames, window) = found else { trapMisuse("a trial ended without a window") }
    instruments.didMeasure(ledgers, frames, window)
    return Measured(
      ledgers: ledgers, frames: frames, window: window, work: counted, busyRetriesCount: busyRetriesCount,
      second: second,
      cpu: cpu + second.cpu, heap: heap.map { $0 + second.heap },
      noise: TrialNoise(
        tickerRunQueueWaitNanoseconds: display.runQueueWaited?.nanoseconds,
        mainRunQueueWaitNanoseconds: difference(from: mainWaitBefore, to: mainWaitAfter)?.nanoseconds,
        yardstick: YardstickPair(before: yardstickBefore, after: yardstickAfter)),
      stolen: stolen, journal: edits.journal, computations: drive.inFlight?.records)
  }

  /// Does the yardstick's work on the main thread, and so on the core where the measured work runs. Blocks.
  ///
  /// A machine without a yardstick gets no further block, which would change its schedule.
  private func readYardstick() -> TimeSpan? {
    instruments.yardstick.map { yardstick in machine.mainQueue.sync { yardstick() } }
  }

  /// Returns how much was added between two readings, or nil if one of them is not known.
  private func difference(from before: TimeSpan?, to after: TimeSpan?) -> TimeSpan? {
    guard let before, let after else { return nil }
    return after - before
  }

  /// Returns a closure that draws a frame: it scrolls, reads the visible cells of each screen, and uses the frame's CPU
  /// time. The first frame after everything has been shown stops the user's edits.
  private func frameDrawer(
    _ session: TrialSession, schedule: TickSchedule, scrollStart: Instant, edits: UserEdits, inFlight: WorkInFlight?
  ) -> @Sendable (Int, Instant) -> Void {
    let options = plan.options
    let frameWork = options.wholeFrameWork
    let instruments = instruments
    let machine = machine
    return { tick, due in
      let newlyHeld = session.journal == nil ? [] : session.payloads.takeNewlyReceived()
      let isLast = session.isSettled
      for screen in session.screens {
        screen.context.event {
          if screen.number == 0 { screen.scroll(at: options.scrollSpeed, for: due - scrollStart) }
          screen.readVisibleCells()
        }
      }
      if frameWork > .zero { instruments.spendCPU(frameWork) }
      if isLast {
        edits.stop()
        inFlight?.stop()
      }
      guard let journal = session.journal, !newlyHeld.isEmpty else { return }
      // The display takes the frame over at the first tick at or after its end.
      let shown = schedule.instant(ofTick: max(tick + 1, schedule.firstTick(atOrAfter: machine.now)))
      for payload in newlyHeld { journal.write(.shown(payload: payload, at: shown)) }
    }
  }
}
