import MachineCore

/// A scratch pad of objects on a queue of its own, between what uses them and a parent: a coordinator or another context.
///
/// Every member but `perform`, `performAndWait` and what is immutable may be used on the context's queue only. Unchanged
/// objects are held weakly, changed ones until they are saved or rolled back; what a block fetched or touched lives until
/// that block ends.
// `@unchecked Sendable`: blocks capture contexts; all mutable state is touched while the context's queue is held.
public final class ManagedObjectContext: @unchecked Sendable {
  /// On which queue a context lives.
  public enum ConcurrencyType: String, Hashable, Sendable, Codable {
    case mainQueue
    case privateQueue
    /// No queue of its own: whoever uses it first, a thread or a queue, is the one that may, and calls its members directly.
    /// What came before contexts had queues; it can be nobody's parent and merges nothing by itself.
    case confinement
  }

  public let name: String
  public let concurrencyType: ConcurrencyType
  public let coordinator: PersistentStoreCoordinator
  /// What persistent history names as the author of this context's transactions; nil = nobody in particular.
  public var transactionAuthor: String?
  /// The context that this one saves into; nil = it saves into the coordinator's store.
  public let parent: ManagedObjectContext?

  /// What settles conflicts when this context saves into a store; not used between contexts.
  public var mergePolicy = MergePolicy.error
  /// Whether an object whose row is gone becomes a deleted object with nothing in it, as since iOS 9, or is an error.
  public var shouldDeleteInaccessibleFaults = true
  /// Whether a save into a store raises the version of an object of which only a to-many relationship changed, so that two who
  /// change it meet in a conflict. No source settles what Core Data does.
  public var toManyChangesRaiseVersions = true
  /// Whether a context below another context ignores `fetchBatchSize`, as Core Data was seen to do.
  public var ignoresBatchSizeBelowContext = true
  /// Whether a context below another context ignores `fetchOffset`, as Core Data documents for nested requests.
  public var ignoresFetchOffsetBelowContext = true
  /// A Boolean value that is true if the context is among the receivers of `automaticMerging`.
  @exclusivity(unchecked) var mergesAutomatically = false

  /// How old a cached row may be that a fault or a refresh takes, by the machine's clock; older ones are read from the store
  /// again. Negative, as at first: any age; zero: every row is read again.
  ///
  /// Objects that are realised keep their values. Has no effect below a context: what the parent has is taken.
  public var stalenessInterval = Span(nanoseconds: -1) {
    didSet { if stalenessInterval > .zero { coordinator.rowAges.begin() } }
  }
  /// Whether the context keeps every object that it has registered until it is reset or goes, and not only changed ones.
  public var retainsRegisteredObjects = false {
    didSet {
      if retainsRegisteredObjects == oldValue { return }
      retainedObjects = retainsRegisteredObjects ? registry.allObjects() : nil
    }
  }
  /// Whether delete rules are carried out when pending changes are processed, and not at once.
  public var propagatesDeletesAtEndOfEvent = false
  /// Whether a merge realises every changed object first, registered here or not, where it would pass over faults and
  /// what it does not know.
  ///
  /// The usual way round a fetched results controller's missing objects that begin to match by another context's change;
  /// at the price of a fault for each.
  public var firesUpdatedObjectsBeforeMerging = false

  package let machine: any Machine
  let queue: any SerialQueue
  let registry: Registry

  @exclusivity(unchecked) var tally = Tally()
  /// How many changed objects a trace was last told of.
  @exclusivity(unchecked) var notedChangeCount = 0
  /// What the context's objects hold more or less since it last reported that.
  @exclusivity(unchecked) var footprint = FootprintTally()
  @exclusivity(unchecked) private(set) var blockDepth = 0
  /// Whether a block of the parent runs for this context, which is parked until it ends.
  @exclusivity(unchecked) private(set) var isInParentBlock = false
  /// What the running block fetched or touched.
  @exclusivity(unchecked) var blockPool: [Unmanaged<ManagedObject>] = []
  /// Registered here, and with the row cache from the next report on.
  @exclusivity(unchecked) var newlyRegistered: [ObjectID] = []

  /// Whether what is set now is to make nobody dirty.
  @exclusivity(unchecked) var ignoresChanges = false
  /// Whether a save is under way.
  @exclusivity(unchecked) var isSaving = false

  // Changed objects, strongly held, in the order in which they changed first; an entry counts while its flag is set.
  @exclusivity(unchecked) var insertedList: [ManagedObject] = []
  @exclusivity(unchecked) var updatedList: [ManagedObject] = []
  @exclusivity(unchecked) var deletedList: [ManagedObject] = []
  @exclusivity(unchecked) var pendingEvent = PendingEvent()
  /// The event that is being reported to controllers and observers, or nil.
  @exclusivity(unchecked) var reportedEvent: ReportedEvent?
  /// Unchanged objects whose versions the next save compares.
  @exclusivity(unchecked) var watchedList: [(object: ManagedObject, base: Row?)] = []
  /// Deleted objects whose delete rules have not been carried out.
  @exclusivity(unchecked) var unpropagatedList: [ManagedObject] = []
  /// Every registered object, where the context keeps them; nil = it does not.
  @exclusivity(unchecked) var retainedObjects: [ManagedObject]?
  /// The object that records what an undo needs of the running event, or nil without an undo manager.
  @exclusivity(unchecked) var changeRecorder: (any ChangeRecorder)?

  /// What the context reads from, if it is on a coordinator.
  @exclusivity(unchecked) var generationPin = GenerationPin.none

  let willSaveObservers = ObserverList<SaveNotification>()
  let didSaveObservers = ObserverList<SaveNotification>()
  let didChangeObservers = ObserverList<ChangeNotification>()
  let didMergeObservers = ObserverList<MergeNotification>()
  let didMergeChangesObservers = ObserverList<MergedChangesNotification>()
  /// Controllers hear of changes before other observers do.
  let controllers = ObserverList<ControllerEvent>()
  let automaticMerging: AutomaticMerging

  /// Makes a context directly on a coordinator's store.
  public convenience init(
    _ concurrencyType: ConcurrencyType, coordinator: PersistentStoreCoordinator, name: String
  ) {
    self.init(concurrencyType, coordinator: coordinator, parent: nil, name: name)
  }

  /// Makes a context directly on a coordinator's store that may be used on one queue, by those who run blocks there.
  package convenience init(confinedTo queue: any SerialQueue, coordinator: PersistentStoreCoordinator, name: String) {
    self.init(.confinement, coordinator: coordinator, parent: nil, name: name, confinedTo: queue)
  }

  /// Makes a context below another context, which lives at least as long. Traps where that is confined to a thread.
  public convenience init(_ concurrencyType: ConcurrencyType, parent: ManagedObjectContext, name: String) {
    if parent.concurrencyType == .confinement {
      trapMisuse(
        "context \(parent.name) is confined to a thread and cannot be the parent of \(name): it has no queue to wait for"
      )
    }
    self.init(concurrencyType, coordinator: parent.coordinator, parent: parent, name: name)
  }

  private init(
    _ concurrencyType: ConcurrencyType, coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?,
    name: String, confinedTo owner: (any SerialQueue)? = nil
  ) {
    self.name = name
    self.concurrencyType = concurrencyType
    self.coordinator = coordinator
    self.parent = parent
    machine = coordinator.machine
    queue =
      switch concurrencyType {
      case .mainQueue: machine.mainQueue
      case .privateQueue: machine.makeSerialQueue(label: name)
      case .confinement: ConfinedQueue(label: name, coordinator: coordinator, queue: owner)
      }
    registry = Registry(model: coordinator.model, warnings: coordinator.warnings)
    automaticMerging = parent?.childMerging ?? coordinator.automaticMerging
    registry.owner = .passUnretained(self)
    if concurrencyType != .confinement { coordinator.noteQueue(queue) }
    machine.account(Work(.contextMade))
  }

  /// Receivers among this context's children that merge its saves automatically.
  let childMerging = AutomaticMerging()

  deinit {
    automaticMerging.remove(self)
    let departed = registry.takeDeparted()
    let living = registry.allObjects()
    unregister(departed, living)
  }
}

// MARK: - Blocks

extension ManagedObjectContext {
  /// Runs `body` on the context's queue, later, as an event of its own: pending changes are processed at its end.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in performed(body) }
  }

  /// The same once the clock reads `deadline`.
  package func perform(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
    queue.async(at: deadline) { [self] in performed(body) }
  }

  private func performed(_ body: () -> Void) {
    machine.account(Work(.perform))
    block {
      body()
      processPendingChanges()
      changeRecorder?.endEvent()
    }
  }

  /// Runs `body` on the context's queue and returns what it returns.
  ///
  /// Blocks until the queue is free, unless the caller holds it: then the body runs at once, inside the caller's block. A
  /// private queue's body runs on the caller's thread. Posts no did-change of its own.
  public func performAndWait<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    machine.account(Work(.performAndWait))
    if queue.isCurrent, concurrencyType != .confinement {
      return try block(body)
    }
    return try queue.sync { () throws(Failure) -> Result in try block(body) }
  }

  /// Runs `body` in a block of the parent while this context waits; `body` may use both.
  ///
  /// Below a main-queue context the body runs on the main thread, which does not hold this context's queue; whoever holds
  /// that is parked meanwhile. Blocks until the parent's queue is free.
  func inParentBlock<Result, Failure: Error>(
    of parent: ManagedObjectContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try parent.performAndWait { () throws(Failure) -> Result in
      // Set here and not before: until now others may have had the parent's queue.
      let outer = isInParentBlock
      isInParentBlock = true
      defer { isInParentBlock = outer }
      return try body()
    }
  }

  /// Runs `body` as an event of the main run loop that is already running on the context's queue, or of the thread that the
  /// context is confined to: what such code does without `perform`. What it touched lives until its end.
  public func event<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard concurrencyType == .confinement || queue.isCurrent else {
      trapMisuse("an event of context \(name) was begun off its queue \(queue.label)")
    }
    checkQueue()
    return try block { () throws(Failure) -> Result in
      defer {
        processPendingChanges()
        changeRecorder?.endEvent()
      }
      return try body()
    }
  }

  /// Whether the context holds unsaved changes once everything posted to its queue so far has run; from any other queue.
  ///
  /// Blocks on the queue. Counts as no block of the app's: it is for those who watch a stack.
  package var isDirty: Bool { queue.sync { hasChanges } }

  /// Runs `body` and, at the end of the outermost block, lets go of what it touched and reports its work.
  private func block<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    blockDepth += 1
    defer {
      blockDepth -= 1
      if blockDepth == 0 { endBlock() }
    }
    return try body()
  }

  /// Ends the block that code on a confined context's thread is, where it is not in an event.
  func endConfinedBlock() {
    if concurrencyType == .confinement, blockDepth == 0 { endBlock() }
  }

  private func endBlock() {
    if !blockPool.isEmpty { emptyPool() }
    unregister(registry.takeDeparted(), [])
    reportWork()
  }
}
