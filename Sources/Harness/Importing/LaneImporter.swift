import ContextEngine
import MachineCore
import Topologies
import Workloads

/// One lane of the import, which divides its payloads into units in order, and posts each unit when the one before it
/// ends.
final class LaneImporter: Sendable {
  /// The values that all lanes of a trial share.
  struct Setting: Sendable {
    let machine: any Machine
    let options: RunOptions
    let archive: WorkloadArchive
    let schema: EngineSchema
    let stack: WiredStack
    let tracker: FreshnessTracker
    let heap: any HeapMeter
    /// A closure that is called on the lane's network queue when a payload has arrived, with the instant at which it was
    /// due.
    let didArrive: @Sendable (_ payload: Int, _ due: Instant) -> Void
    /// A closure that is called on the lane's network queue when the lane has saved its last unit.
    let laneEnded: @Sendable () -> Void
    /// A closure that is called with each error that stops a lane, on the thread that meets it.
    let didFail: @Sendable (any Error) -> Void
    /// The number of records that each lane imports of its first payload, without its other payloads, or nil for all.
    var recordLimit: Int?
  }

  private let setting: Setting
  private let lane: Int
  private let queue: any SerialQueue
  private let decoder: PayloadDecoder
  /// The number of payloads that the lane imports.
  let payloadCount: Int
  private let state: Guarded<State>

  private struct State {
    /// The payloads that have arrived and wait for earlier ones.
    var waiting: Set<Int> = []
    /// The payload that is imported now or next. Payloads are imported in order, even if a seeded offset longer than
    /// the interval makes one arrive before an earlier one.
    var next: Int
    var isImporting = false
    var remaining: Int
    var failure: (any Error)?
    /// The references of saved units to rows that no unit has made yet.
    var references = ForwardReferences()
  }

  /// The number of attempts to save a unit under the error policy. A lane that shares rows with others may lose to each
  /// of them several times.
  private var attemptLimit: Int { setting.archive.options.overlap == 0 ? 5 : 100 }

  init(_ setting: Setting, lane: Int) {
    self.setting = setting
    self.lane = lane
    queue = setting.machine.makeSerialQueue(label: "network \(lane)")
    decoder = PayloadDecoder(schema: setting.archive.schema)
    let count = setting.archive.payloads.indices.count { setting.archive.payloads[$0].lane == lane }
    payloadCount = setting.recordLimit == nil ? count : min(count, 1)
    state = Guarded(State(next: lane, remaining: payloadCount))
  }

  /// True if every payload of the lane has been saved, or if the lane has failed.
  var isDone: Bool { state.withLock { $0.remaining == 0 || $0.failure != nil } }

  /// The error that stopped the lane, or nil if it has not failed.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Schedules the first payload, or all payloads if they arrive at intervals, and returns at once. A lane that has ended
  /// imports its payloads again.
  ///
  /// - Parameter windowStart: The intended arrival of payload 0.
  func start(at windowStart: Instant) {
    state.withLock { $0 = State(next: lane, remaining: payloadCount) }
    let own = setting.archive.payloads.indices.filter { setting.archive.payloads[$0].lane == lane }
    guard let first = own.first else { return }
    guard setting.options.arrivalInterval > .zero, setting.recordLimit == nil else {
      arrive(first, at: windowStart)
      return
    }
    var random = SeededRandom(seed: setting.options.seed, stream: "arrivals \(lane)")
    for payload in own {
      let offset = payload == 0 ? 0 : random.below(1_000_000_000 / setting.options.refreshRate)
      let due = windowStart + setting.options.arrivalInterval * Int64(payload) + TimeSpan(nanoseconds: Int64(offset))
      arrive(payload, at: due)
    }
  }

  private func arrive(_ payload: Int, at due: Instant) {
    queue.async(at: due) { [self] in
      setting.didArrive(payload, due)
      state.withLock { _ = $0.waiting.insert(payload) }
      _ = beginNext()
    }
  }

  /// True if payloads are imported at the same time.
  private var importsAtOnce: Bool { setting.stack.topology.importsAtOnce }

  /// Begins the next payload if it has arrived and no other is being imported, and returns true if it began one. If
  /// payloads are imported at the same time, begins the first of those that have arrived. Call it on the network queue.
  private func beginNext() -> Bool {
    let begun = state.withLock { state -> Int? in
      if importsAtOnce { return state.waiting.min().flatMap { state.waiting.remove($0) } }
      guard !state.isImporting, state.waiting.remove(state.next) != nil else { return nil }
      state.isImporting = true
      return state.next
    }
    if let begun { begin(begun) }
    return begun != nil
  }
}

// MARK: - One payload

extension LaneImporter {
  /// The state of a payload whose units are being imported. One block at a time uses it.
  private final class Progress: Sendable {
    let payload: Int
    let context: ManagedObjectContext
    /// True if the records are decoded on the network queue, and thus by another thread than the one that imports them.
    let isDecodedElsewhere: Bool
    let records: Guarded<[ImportRecord]>
    /// The references to rows that no unit has made yet, if the payload is imported beside others and has its own.
    let references: Guarded<ForwardReferences>

    init(payload: Int, context: ManagedObjectContext, isDecodedElsewhere: Bool) {
      self.payload = payload
      self.context = context
      self.isDecodedElsewhere = isDecodedElsewhere
      records = Guarded([])
      references = Guarded(ForwardReferences())
    }
  }

  /// Begins to import a payload. Call it on the network queue.
  private func begin(_ payload: Int) {
    let place = setting.options.decode ?? setting.stack.topology.decode
    let progress = Progress(
      payload: payload, context: setting.stack.beginPayload(lane: lane),
      isDecodedElsewhere: place == .network)
    if progress.isDecodedElsewhere {
      guard decode(progress) else { return }
      progress.context.post { [self] in unit(from: 0, progress) }
    } else {
      progress.context.post { [self] in
        setting.machine.recorder.during(.importing, in: progress.context.name) {
          guard decode(progress) else { return }
        }
        unit(from: 0, progress)
      }
    }
    let successor = payload + setting.options.lanes
    guard importsAtOnce, setting.options.arrivalInterval == .zero, setting.recordLimit == nil,
      successor < setting.archive.payloads.count
    else { return }
    arrive(successor, at: setting.machine.now)
  }

  /// Decodes the payload on the calling thread, and returns false if that fails.
  private func decode(_ progress: Progress) -> Bool {
    setting.machine.recorder.during(.decode) {
      let payload = setting.archive.payloads[progress.payload]
      do {
        var records = try setting.archive.records(of: progress.payload, by: decoder)
        if let limit = setting.recordLimit { records = Array(records.prefix(records.endOfUnit(from: 0, count: limit))) }
        setting.machine.recorder.add(objectCount: records.count)
        setting.machine.account(Work(.recordDecoded, count: records.count, bytes: payload.text.byteCount))
        progress.records.withLock { [records] in $0 = records }
        return true
      } catch {
        fail(error)
        return false
      }
    }
  }

  /// Imports one unit in one block of the import's queue: fetches, changes and saves.
  private func unit(from start: Int, _ progress: Progress) {
    var records = progress.records.withLock { $0 }
    let recordCount = records.count
    let end = records.endOfUnit(from: start, count: setting.options.saveEvery)
    let isLast = end == recordCount
    let context = progress.context
    let isSaved = setting.machine.recorder.during(.importing, of: end - start, in: context.name) {
      if progress.isDecodedElsewhere { setting.machine.account(Work(.recordReceived, count: end - start)) }
      do throws(PersistenceError) {
        try save(records[start..<end], isLast, progress)
        if isLast { release(&records, of: progress) }
        return true
      } catch {
        fail(error)
        return false
      }
    }
    guard isSaved else { return }
    setting.heap.sample()
    guard isLast else {
      context.post { [self] in unit(from: end, progress) }
      return
    }
    setting.stack.payloadImported(
      progress.payload, touching: setting.archive.payloads[progress.payload].entities)
    queue.async { [self] in finished() }
  }

  /// Releases a payload's records at the end of its last unit, as an app would release its decoded feed.
  private func release(_ records: inout [ImportRecord], of progress: Progress) {
    let count = records.count
    records = []
    progress.records.withLock { $0 = [] }
    setting.machine.account(Work(.recordReleased, count: count))
  }

  private func save(
    _ records: ArraySlice<ImportRecord>, _ isLast: Bool, _ progress: Progress
  ) throws(PersistenceError) {
    let context = progress.context
    if setting.options.strategy == .batchInsert {
      return try BatchUnitImport(setting, context).run(records, endingPayload: isLast ? progress.payload : nil)
    }
    let mark = FreshnessTracker.Mark.payload(progress.payload)
    if isLast { setting.tracker.enter(mark, in: context) }
    for attempt in 1... {
      do throws(PersistenceError) {
        let known = importsAtOnce ? progress.references.withLock { $0 } : state.withLock { $0.references }
        var unitImport = UnitImport(
          context, schema: setting.schema, lookup: setting.options.lookup, references: known)
        try unitImport.run(records)
        try setting.stack.saveUnit(in: context)
        let references = unitImport.references
        if importsAtOnce {
          progress.references.withLock { $0 = references }
        } else {
          state.withLock { $0.references = references }
        }
        break
      } catch {
        guard isMetByAnotherLane(error), attempt < attemptLimit else { throw error }
        context.rollback()
        for objectID in error.objectIDs where !objectID.isTemporaryID {
          try context.refresh(context.object(with: objectID), mergeChanges: false)
        }
      }
    }
    if isLast { setting.tracker.settle(mark, in: context, at: setting.machine.now) }
  }

  /// Returns true if the error comes from another context's changes, which the next attempt finds. A new row may violate
  /// a uniqueness constraint only if another lane has inserted it too.
  private func isMetByAnotherLane(_ error: PersistenceError) -> Bool {
    error.code == .managedObjectMerge
      || error.code == .managedObjectConstraintMerge && setting.archive.options.overlap > 0
  }

  /// Ends a payload after its last unit and begins the next. Call it on the network queue.
  private func finished() {
    let (successor, isLast) = state.withLock { state in
      state.remaining -= 1
      state.isImporting = false
      state.next += setting.options.lanes
      return (state.next, state.remaining == 0)
    }
    if isLast { setting.laneEnded() }
    if importsAtOnce { return }
    if !beginNext(), setting.options.arrivalInterval == .zero, successor < setting.archive.payloads.count, !isDone {
      arrive(successor, at: setting.machine.now)
    }
  }

  private func fail(_ error: any Error) {
    state.withLock { state in
      if state.failure == nil { state.failure = error }
    }
    setting.didFail(error)
  }
}
