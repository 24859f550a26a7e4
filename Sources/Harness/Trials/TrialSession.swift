import ContextEngine
import MachineCore
import Metrics
import Topologies
import Workloads

/// A running app: an open store, the stack on it, its screens and its import. If the topology imports in a second
/// process, each process has a session of its part.
///
/// The trial has one session, and each warm-up has another one on a separate store.
final class TrialSession: Sendable {
  /// The stores of the stack's coordinators, which all are the same file. There is one for each coordinator.
  let stores: [any PersistentStore]
  let stack: WiredStack
  let screens: [Screen]
  let payloads: PayloadLedger
  let edits: EditLedger
  let tracker: FreshnessTracker
  let running: any RunningImport
  let journal: AppJournal?
  private let machine: any Machine
  private let archive: WorkloadArchive
  private let reaction: ScreenReaction
  /// The longest time that the opening of a screen has taken, or nil before the first screen is opened.
  private let openingTime = Guarded<TimeSpan?>(nil)

  /// The number of records that a warm-up imports.
  static let warmUpRecords = 2_000

  /// The parameters of a session.
  struct Setting {
    let machine: any Machine
    let plan: TrialPlan
    let archive: WorkloadArchive
    let schema: EngineSchema
    let instruments: TrialInstruments
    /// The path of the session's copy of the base store.
    let storePath: String
    var process = ProcessPart.whole
    /// The journal of the facts that the user sees and of the commits, or nil if it is not kept.
    var journal: AppJournal?
    /// The number of records that each lane imports of its first payload, without its other payloads, or nil for all.
    var recordLimit: Int?
  }

  init(_ setting: Setting) throws {
    var options = setting.plan.options
    let (whole, process) = (setting.plan.topology, setting.process)
    let topology = process.topology(of: whole).withPoolSize(options.poolSize)
    if !whole.otherCoordinators.isEmpty { options.tracksHistory = true }
    if case .importing = process { options.viewControllers = 0 }
    // Faults occur in the measured import only.
    if setting.recordLimit != nil { options.fileFault = nil }
    machine = setting.machine
    archive = setting.archive
    journal = setting.journal
    var stores: [any PersistentStore] = []
    for number in 0...topology.otherCoordinators.count {
      if number > 0 { options.storeName = "store \(number + 1)" }
      stores.append(try setting.instruments.openStore(machine, setting.schema.model, setting.storePath, options))
    }
    self.stores = stores
    payloads = PayloadLedger(
      payloadCount: archive.payloads.count, laneCount: options.lanes, screenCount: options.viewControllers)
    edits = EditLedger(capacity: 1_024)
    tracker = FreshnessTracker(
      payloads: payloads, edits: edits, mergesSaves: topology.mergesSaves, journal: setting.journal,
      didSave: { process.report(.saved(completing: $0, at: $1, history: $2)) })
    let reaction = ScreenReaction(
      machine: machine, tracker: tracker, heap: setting.instruments.heap,
      inputEntity: setting.schema.computationInputs?.entity.index,
      didMakeContext: setting.instruments.didMakeContext, didFail: process.report)
    self.reaction = reaction
    let coordinator = PersistentStoreCoordinator(machine: machine, store: stores[0])
    let others = stores.dropFirst().map { [machine] in
      PersistentStoreCoordinator(machine: machine, store: $0, footprint: coordinator.footprint)
    }
    setting.instruments.heap.watch(coordinator.footprint)
    let schema = setting.archive.schema
    let shown = schema.entities.indices.filter { schema.entities[$0].isImported }
    let entities = (0..<options.viewControllers).map { schema.list?.entity ?? shown[$0 % shown.count] }
    let stack = WiredStack(
      topology, coordinator: coordinator, otherCoordinators: others,
      options: WiringOptions(
        mergePolicy: options.mergePolicy, laneCount: options.lanes,
        screenEntities: entities,
        // A warm-up should end at once.
        storeSave: setting.recordLimit == nil ? options.storeSave : .immediate,
        author: process.author(in: whole), hasBackgroundWork: options.inFlight != .off),
      delegate: reaction)
    self.stack = stack
    screens = entities.enumerated().map { number, entity in
      Screen(
        number: number, entity: setting.schema.entities[entity], context: stack.uiContext(ofScreen: number),
        options: options, fetchesShownProperties: topology.fetchesShownProperties)
    }
    reaction.screens.withLock { [screens] in $0 = screens }
    let arrivals = Arrivals(
      archive: archive, screenEntities: entities, payloads: payloads, tracker: tracker, journal: setting.journal,
      process: process)
    if case .app(let link) = process {
      running = try RemoteImport(
        .init(
          link: link, machine: machine, archive: archive, storePath: setting.storePath,
          recordLimit: setting.recordLimit,
          coordinator: coordinator, tracker: tracker, didArrive: arrivals.note))
      return
    }
    let openLanes = OpenLanes(Set(archive.payloads.map(\.lane)).count) { [unowned stack] in
      stack.importEnded()
      process.report(.imported)
    }
    let laneSetting = LaneImporter.Setting(
      machine: machine, options: options, archive: archive, schema: setting.schema, stack: stack, tracker: tracker,
      heap: setting.instruments.heap, didArrive: arrivals.note, laneEnded: openLanes.laneEnded, didFail: process.report,
      recordLimit: setting.recordLimit)
    running = ImportLanes(lanes: (0..<options.lanes).map { LaneImporter(laneSetting, lane: $0) })
  }

  /// The first error of a lane or of a reaction to the stack, or nil if no block has failed.
  var failure: (any Error)? {
    running.failure ?? reaction.failure.withLock { $0 }
  }

  /// The inputs of computations that were deleted before their results could be written to the store.
  var missedInputs: [ObjectID] { reaction.missedInputs.withLock { $0 } }

  /// The longest time that the first fetch of a screen's list has taken on the main queue, with the reading of its cells.
  /// It is nil without screens.
  var firstFetch: TimeSpan? { openingTime.withLock { $0 } }

  /// Fetches every screen's list and reads its cells. Blocks until the main queue has done it.
  func openScreens() throws(PersistenceError) {
    for screen in screens {
      try machine.mainQueue.sync { () throws(PersistenceError) in try open(screen) }
    }
  }

  /// Opens the screens in a block of the main queue that is posted at an instant. Returns at once.
  func openScreens(at instant: Instant) {
    machine.makeSerialQueue(label: "opening").async(at: instant) { [self] in
      machine.mainQueue.async { [self] in
        do throws(PersistenceError) {
          for screen in screens { try open(screen) }
        } catch {
          reaction.failure.withLock { $0 = error }
        }
      }
    }
  }

  /// Fetches a screen's list, reads its cells and measures how long both take. Call it on the main queue.
  private func open(_ screen: Screen) throws(PersistenceError) {
    try screen.context.event { () throws(PersistenceError) in
      let start = machine.now
      try screen.open()
      screen.readVisibleCells()
      let time = machine.now - start
      openingTime.withLock { $0 = max($0 ?? .zero, time) }
    }
  }

  // MARK: Progress

  /// True if every lane has saved its last payload and every payload is durable.
  var isImported: Bool {
    running.isDone && payloads.durableCount >= running.payloadCount
  }

  /// True if the screens will not change any more: they hold every payload, or the stack need not show them.
  var isSettled: Bool {
    guard isImported, tracker.mergeBacklog == 0 else { return false }
    let isShown = !screens.isEmpty && !stack.topology.tolerates.contains(.staleRows)
    return !isShown || payloads.receivedCount >= running.payloadCount
  }

  /// Returns true if no context has changes and no merge waits. Blocks on each context's queue in turn.
  func isAtRest() -> Bool {
    stack.lastingContexts.allSatisfy { !$0.isDirty } && tracker.mergeBacklog == 0
      && (try? stack.hasMergedRemoteChanges()) ?? true
  }

  /// Forgets the events of an import that has ended, before it runs again. Call it at rest.
  func restart() {
    payloads.restart()
    edits.restart()
  }

  // MARK: End

  /// Releases the screens' lists and closes the store, in a second process first. Blocks until that is done.
  func close() throws {
    for screen in screens {
      machine.mainQueue.sync { screen.context.event { screen.close() } }
    }
    stack.stopMergingRemoteChanges()
    try running.close()
    for store in stores { try store.close() }
  }
}

/// The reaction to the arrival of payloads.
private struct Arrivals: Sendable {
  let archive: WorkloadArchive
  let screenEntities: [Int]
  let payloads: PayloadLedger
  let tracker: FreshnessTracker
  let journal: AppJournal?
  let process: ProcessPart

  /// Records that a payload has arrived at the instant at which it was due.
  @Sendable func note(_ payload: Int, due: Instant) {
    let entities = archive.payloads[payload].entities
    let concerned = screenEntities.indices.filter { entities.contains(screenEntities[$0]) }
    payloads.arrived(payload, at: due, concerning: concerned)
    journal?.write(.arrived(payload: payload))
    process.report(.arrived(payload: payload, at: due))
  }
}

/// A count of the lanes that still import. It begins again when all of them have ended.
private final class OpenLanes: Sendable {
  private let all: Int
  private let count: Guarded<Int>
  private let allEnded: @Sendable () -> Void

  init(_ count: Int, allEnded: @escaping @Sendable () -> Void) {
    all = count
    self.count = Guarded(count)
    self.allEnded = allEnded
  }

  @Sendable func laneEnded() {
    let isLast = count.withLock { count in
      count -= 1
      guard count == 0 else { return false }
      count = all
      return true
    }
    if isLast { allEnded() }
  }
}
