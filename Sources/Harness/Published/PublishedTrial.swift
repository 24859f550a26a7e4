import ContextEngine
import Foundation
import MachineCore
import Metrics
import Topologies
import Verification
import Workloads

/// One row of a published table, run again: a two-phase import through one stack, without screens, edits or ticks.
///
/// Runs once, on a thread that is none of the machine's queues, and waits through the machine only.
package final class PublishedTrial: Sendable {
  private let plan: Plan
  private let machine: any Machine
  private let work: WorkLedger
  private let mainQueue: MainQueueLedger
  private let instruments: TrialInstruments

  package struct Plan: Sendable {
    package var topology: Topology
    package var batching: PublishedFigures.SaveBatching
    /// Each of its pages is looked up by one fetch.
    package var workload: TwoPhaseWorkload
    /// Relationships that one save carries, and objects where they are batched.
    package var savedTogether: Int
    /// What counts of it: the store's connections, journal and syncs, merge policy, look-up, seed.
    package var options: RunOptions
    /// Where the trial makes its store; nothing is there yet.
    package var storePath: String

    /// - Parameters:
    ///   - objectCount: about how many objects; the published number for figures that are to be compared.
    ///   - savedTogether: relationships that one save carries, and objects where they are batched.
    ///   - lookedUpTogether: records that one find-or-create fetch looks up; `TwoPhaseImporter` says why 50.
    package init(
      topology: Topology, batching: PublishedFigures.SaveBatching, options: RunOptions, storePath: String,
      objectCount: Int = TwoPhaseWorkload.publishedObjectCount, savedTogether: Int = 500, lookedUpTogether: Int = 50
    ) {
      self.topology = topology
      self.batching = batching
      workload = TwoPhaseWorkload(objectCount: objectCount, pageSize: lookedUpTogether, seed: options.seed)
      self.savedTogether = savedTogether
      self.options = options
      self.storePath = storePath
    }
  }

  /// What a row came to.
  package struct Outcome: Sendable {
    /// From the start of the import until everything is durable, merged and at rest.
    package let total: Span
    /// The time in blocks of the main queue, waiting included.
    package let mainBusy: Span
    /// The part of it in which the main thread was parked.
    package let mainWait: Span
    /// The main thread's CPU: what a profiler shows as its time.
    package let mainCPU: Span
    package let work: WorkCounts
    /// Where the main thread's time went.
    package let mainTime: MainQueueTime
    package let storeDigest: String
    /// What is wrong with the data, as sentences; none where it is verified.
    package let complaints: [String]
  }

  /// How often the end is looked for. Shows in no figure: the end is the instant of the last save or merge.
  private static let pollInterval = Span.milliseconds(20)
  private static let leadTime = Span.milliseconds(10)

  /// - Parameter mainQueue: the machine's own observer, not started yet.
  package init(
    plan: Plan, machine: any Machine, work: WorkLedger, mainQueue: MainQueueLedger, instruments: TrialInstruments
  ) {
    self.plan = plan
    self.machine = machine
    self.work = work
    self.mainQueue = mainQueue
    self.instruments = instruments
  }

  /// Imports, waits for rest, checks the store. Blocks until all of it is done.
  ///
  /// - Throws: what stopped the import, or `VerificationError`; wrong data are complaints.
  package func run() throws -> Outcome {
    let schema = EngineSchema(plan.workload.schema, indexesKeys: true)
    let store = try instruments.openStore(machine, schema.model, plan.storePath, plan.options)
    let watch = RestWatch(machine: machine)
    let stack = WiredStack(
      plan.topology, coordinator: PersistentStoreCoordinator(machine: machine, store: store),
      options: WiringOptions(
        mergePolicy: MergePolicy(rawValue: plan.options.mergePolicy) ?? .error, laneCount: 1, screenEntities: []),
      delegate: watch)
    let importer = TwoPhaseImporter(
      TwoPhaseImporter.Setting(
        machine: machine, schema: schema, workload: plan.workload, batching: plan.batching,
        lookup: plan.options.lookup,
        savedTogether: plan.savedTogether),
      context: stack.beginPayload(lane: 0))

    // The ledger sums up by the ticks of a schedule, from its window's start; nothing else happens at them here.
    let schedule = machine.mainQueue.sync {
      let schedule = TickSchedule(start: machine.now + Self.leadTime, refreshRate: plan.options.refreshRate)
      mainQueue.start(schedule)
      return schedule
    }
    machine.wait(until: schedule.windowStart)
    let workBefore = WorkCounts(of: work)
    importer.start()
    try wait(for: watch, importer) { importer.isDone }
    try wait(for: watch, importer) { isAtRest(stack) && isAtRest(stack) }
    let counted = WorkCounts(of: work) - workBefore

    let window = Window(
      start: schedule.windowStart, end: schedule.instant(ofTick: schedule.firstTick(atOrAfter: watch.lastActivity)))
    machine.wait(until: window.end)
    let mainTime = machine.mainQueue.sync { mainQueue.time(in: window) }
    try store.close()
    let report = try verify()
    return Outcome(
      total: watch.lastActivity - window.start, mainBusy: mainTime.mainBusy, mainWait: mainTime[.wait],
      mainCPU: mainTime.mainCPU, work: counted, mainTime: mainTime, storeDigest: report.digest,
      complaints: report.complaints())
  }

  private func wait(for watch: RestWatch, _ importer: TwoPhaseImporter, until condition: () -> Bool) throws {
    while true {
      if let failure = importer.failure ?? watch.failure { throw failure }
      if condition() { break }
      machine.wait(until: machine.now + Self.pollInterval)
    }
    if let failure = importer.failure ?? watch.failure { throw failure }
  }

  /// Whether no lasting context is dirty once everything posted so far has run; children first, as what their saves
  /// post goes to their parents. Blocks on each queue in turn.
  private func isAtRest(_ stack: WiredStack) -> Bool {
    stack.lastingContexts.reversed().allSatisfy { !$0.isDirty }
  }

  /// Reads the closed store with plain SQLite and compares every row and link with the workload's answer.
  private func verify() throws -> VerificationReport {
    let checker = StoreChecker(schema: plan.workload.schema)
    return try checker.check(
      storeAt: URL(fileURLWithPath: plan.storePath), against: plan.workload.answer, journal: EditJournal(),
      expectedDigest: checker.digest(of: plan.workload.answer))
  }
}

/// Hears of every save and merge of a stack, to know when the last one ended.
private final class RestWatch: StackDelegate {
  private let machine: any Machine
  private let state = Guarded(State())

  private struct State {
    var lastActivity = Instant(nanoseconds: 0)
    var failure: (any Error)?
  }

  init(machine: any Machine) {
    self.machine = machine
  }

  /// When the last save or merge so far had done its work.
  var lastActivity: Instant { state.withLock { $0.lastActivity } }

  var failure: (any Error)? { state.withLock { $0.failure } }

  private func note() {
    let now = machine.now
    state.withLock { $0.lastActivity = max($0.lastActivity, now) }
  }

  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {
    _ = context.observeDidSave { [self] _ in note() }
    _ = context.observeMerges { [self] merge in
      if merge.stage == .ended { note() }
    }
  }

  func stack(_ stack: WiredStack, didPostMergeOf save: SaveNotification) {}

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification) {}

  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {}

  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
  }
}
