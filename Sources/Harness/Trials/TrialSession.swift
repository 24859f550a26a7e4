import ContextEngine
import MachineCore
import Metrics
import Topologies
import Workloads

/// A running app: an open store, the stack on it, its screens and its import lanes.
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
  let lanes: [LaneImporter]
  let journal: AppJournal?
  private let machine: any Machine
  private let archive: WorkloadArchive
  private let reaction: ScreenReaction

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
    /// The journal of the facts that the user sees, or nil if it is not kept.
    var journal: AppJournal?
    /// The number of records that each lane imports of its first payload, without its other payloads, or nil for all.
    var recordLimit: Int?
  }

  init(_ setting: Setting) throws(PersistenceError) {
    var options = setting.plan.options
    let topology = setting.plan.topology
    if !topology.otherCoordinators.isEmpty { options.tracksHistory = true }
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
      payloads: payloads, edits: edits, screenCount: options.viewControllers, mergesSaves: topology.mergesSaves)
    let reaction = ScreenReaction(
      machine: machine, tracker: tracker, heap: setting.instruments.heap,
      didMakeContext: setting.instruments.didMakeContext)
    self.reaction = reaction
    let coordinator = PersistentStoreCoordinator(machine: machine, store: stores[0])
    let others = stores.dropFirst().map { [machine] in
      PersistentStoreCoordinator(machine: machine, store: $0, footprint: coordinator.footprint)
    }
    setting.instruments.heap.watch(coordinator.footprint)
    let schema = setting.archive.schema
    let shown = schema.entities.indices.filter { schema.entities[$0].isImported }
    let entities = (0..<options.viewControllers).map { shown[$0 % shown.count] }
    let stack = WiredStack(
      topology, coordinator: coordinator, otherCoordinators: others,
      options: WiringOptions(
        mergePolicy: options.mergePolicy, laneCount: options.lanes,
        screenEntities: entities,
        // A warm-up should end at once.
        storeSave: setting.recordLimit == nil ? options.storeSave : .immediate),
      delegate: reaction)
    self.stack = stack
    screens = entities.enumerated().map { number, entity in
      Screen(
        number: number, entity: setting.schema.entities[entity], context: stack.uiContext(ofScreen: number),
        options: options, fetchesShownProperties: topology.fetchesShownProperties)
    }
    reaction.screens.withLock { [screens] in $0 = screens }
    let openLanes = OpenLanes(Set(archive.payloads.map(\.lane)).count) { [unowned stack] in stack.importEnded() }
    let laneSetting = LaneImporter.Setting(
      machine: machine, options: options, archive: archive, schema: setting.schema, stack: stack, payloads: payloads,
      tracker: tracker, heap: setting.instruments.heap, laneEnded: openLanes.laneEnded, journal: setting.journal,
      recordLimit: setting.recordLimit
    )
    lanes = (0..<options.lanes).map { LaneImporter(laneSetting, lane: $0) }
  }

  /// The first error of a lane or of a reaction to the stack, or nil if no block has failed.
  var failure: (any Error)? {
    lanes.lazy.compactMap(\.failure).first ?? reaction.failure.withLock { $0 }
  }

  /// Fetches every screen's list and reads its cells. Blocks until the main queue has done it.
  func openScreens() throws(PersistenceError) {
    for screen in screens {
      try machine.mainQueue.sync { () throws(PersistenceError) in
        try screen.context.event { () throws(PersistenceError) in
          try screen.open()
          screen.readVisibleCells()
        }
      }
    }
  }

  // MARK: Progress

  /// True if every lane has saved its last payload and every payload is durable.
  var isImported: Bool {
    lanes.allSatisfy(\.isDone) && tracker.durablePayloadCount >= arrivingPayloadCount
  }

  /// True if the screens will not change any more: they hold every payload, or the stack need not show them.
  var isSettled: Bool {
    guard isImported, tracker.mergeBacklog == 0 else { return false }
    let isShown = !screens.isEmpty && !stack.topology.tolerates.contains(.staleRows)
    return !isShown || tracker.heldPayloadCount >= arrivingPayloadCount
  }

  private var arrivingPayloadCount: Int { lanes.reduce(0) { $0 + $1.payloadCount } }

  /// Returns true if no context has changes and no merge waits. Blocks on each context's queue in turn.
  func isAtRest() -> Bool {
    stack.lastingContexts.allSatisfy { !$0.isDirty } && tracker.mergeBacklog == 0
      && (try? stack.hasMergedRemoteChanges()) ?? true
  }

  // MARK: End

  /// Releases the screens' lists and closes the store. Blocks until that is done.
  func close() throws(PersistenceError) {
    for screen in screens {
      machine.mainQueue.sync { screen.context.event { screen.close() } }
    }
    stack.stopMergingRemoteChanges()
    for store in stores { try store.close() }
  }
}

/// A count of the lanes that still import.
private final class OpenLanes: Sendable {
  private let count: Guarded<Int>
  private let allEnded: @Sendable () -> Void

  init(_ count: Int, allEnded: @escaping @Sendable () -> Void) {
    self.count = Guarded(count)
    self.allEnded = allEnded
  }

  @Sendable func laneEnded() {
    let isLast = count.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { allEnded() }
  }
}

/// The delegate of a stack, which updates the app's screens and follows saves and merges.
final class ScreenReaction: StackDelegate {
  let screens = Guarded<[Screen]>([])
  let failure = Guarded<(any Error)?>(nil)
  private let machine: any Machine
  private let tracker: FreshnessTracker
  private let heap: any HeapMeter
  private let didMakeContext: @Sendable (ManagedObjectContext) -> Void

  init(
    machine: any Machine, tracker: FreshnessTracker, heap: any HeapMeter,
    didMakeContext: @escaping @Sendable (ManagedObjectContext) -> Void
  ) {
    self.machine = machine
    self.tracker = tracker
    self.heap = heap
    self.didMakeContext = didMakeContext
  }

  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {
    tracker.watch(context, isShown: context.name == stack.topology.uiContext)
    _ = context.observeMerges { [heap] merge in
      if merge.stage == .ended { heap.sample() }
    }
    didMakeContext(context)
  }

  func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    tracker.mergePosted(of: save, isShown: context.name == stack.topology.uiContext)
  }

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {
    if context.name == stack.topology.uiContext { tracker.mergeSkipped(of: save) }
  }

  func stack(_ stack: WiredStack, didReach stage: RemoteMergeStage, ofRemoteMergeInto context: ManagedObjectContext) {
    tracker.remoteMerge(stage, isShown: context.name == stack.topology.uiContext)
    if case .ended = stage { heap.sample() }
  }

  /// Resets each context once. Then opens each screen again: makes its controller, fetches its list and reads its
  /// cells.
  func stack(_ stack: WiredStack, refetch numbers: [Int], after payload: Int?) {
    let screens = screens.withLock { screens in numbers.map { screens[$0] } }
    machine.recorder.during(.reset, in: screens.first?.context.name) {
      var reset: [ManagedObjectContext] = []
      for screen in screens where !reset.contains(where: { $0 === screen.context }) {
        screen.close()
        screen.context.reset()
        reset.append(screen.context)
      }
      do throws(PersistenceError) {
        for screen in screens {
          try screen.open()
          screen.readVisibleCells()
        }
      } catch {
        failure.withLock { $0 = error }
      }
      machine.recorder.add(objectCount: screens.reduce(0) { $0 + ($1.rows?.count ?? 0) })
      if let payload {
        for screen in screens { tracker.refetched(payload, by: screen.number) }
      }
    }
    heap.sample()
  }

  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    failure.withLock { if $0 == nil { $0 = error } }
  }
}
