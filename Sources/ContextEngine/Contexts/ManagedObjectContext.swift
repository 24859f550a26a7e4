import MachineCore

// `@unchecked Sendable`: blocks capture contexts; all mutable state is touched while the context's queue is held.
/// A scratch pad of objects, bound to a queue, between the code that uses the objects and a parent: a coordinator or
/// another context.
///
/// All members except `perform`, `performAndWait` and immutable ones may be used on the context's queue only. Unchanged
/// objects are held weakly, changed objects until they are saved or rolled back. An object that a block fetched or
/// touched lives until that block ends.
///
/// A block on the context's queue inserts, changes and saves objects:
///
/// ```swift
/// let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "editor")
/// try context.performAndWait {
///   let book = context.insert(model.entity("Book"))
///   book["title"] = .string("Emma")
///   try context.save()
/// }
/// ```
public final class ManagedObjectContext: @unchecked Sendable {
  /// The kind of queue on which a context runs.
  public enum ConcurrencyType: String, Hashable, Sendable, Codable {
    /// The context runs on the machine's main queue.
    case mainQueue
    /// The context runs on a serial queue of its own.
    case privateQueue
    /// The context has no queue. It binds to the thread or queue that uses it first, and its members are called there
    /// directly.
    ///
    /// This is how contexts worked before they had queues. Such a context cannot be a parent and does not merge
    /// automatically.
    case confinement
  }

  /// The name of the context, which persistent history and traces record.
  public let name: String
  /// The kind of queue on which the context runs.
  public let concurrencyType: ConcurrencyType
  /// The coordinator at the root of the context's parents.
  public let coordinator: PersistentStoreCoordinator
  /// The author that persistent history records for this context's transactions, or nil to record no author.
  public var transactionAuthor: String?
  /// The context that this one saves into, or nil if it saves into the coordinator's store.
  public let parent: ManagedObjectContext?

  /// The policy that resolves conflicts when this context saves into a store. It is not used between contexts.
  public var mergePolicy = MergePolicy.error
  /// Indicates whether an object whose row no longer exists becomes a deleted object without values, as since iOS 9. If
  /// false, firing its fault is an error.
  public var shouldDeleteInaccessibleFaults = true
  /// Indicates whether a save into a store raises the version of an object if only a to-many relationship of it
  /// changed, so that two contexts that both change the relationship conflict. No source settles what Core Data does.
  public var toManyChangesRaiseVersions = true
  /// Indicates whether a context below another context ignores `fetchBatchSize`, as Core Data was seen to do.
  public var ignoresBatchSizeBelowContext = true
  /// Indicates whether a context below another context ignores `fetchOffset`, as Core Data documents for nested
  /// requests.
  public var ignoresFetchOffsetBelowContext = true
  /// A Boolean value that is true if the context is among the receivers of `automaticMerging`.
  var mergesAutomatically = false

  /// The maximum age, by the machine's clock, of a cached row that a fault or a refresh uses. An older row is read from
  /// the store again. A negative value, the default, accepts any age; zero reads every row again.
  ///
  /// Realised objects keep their values. The interval has no effect below another context, where the parent's values
  /// are used.
  public var stalenessInterval = TimeSpan(nanoseconds: -1) {
    didSet { if stalenessInterval > .zero { coordinator.rowAges.begin() } }
  }
  /// Indicates whether the context keeps every registered object, and not only changed ones, until it is reset or
  /// deallocated.
  public var retainsRegisteredObjects = false {
    didSet {
      if retainsRegisteredObjects == oldValue { return }
      retainedObjects = retainsRegisteredObjects ? registry.allObjects() : nil
    }
  }
  /// Indicates whether delete rules are carried out when pending changes are processed, and not at once.
  public var propagatesDeletesAtEndOfEvent = false
  /// Indicates whether a merge first realises every changed object, registered here or not. Otherwise it skips faults
  /// and objects that are not registered.
  ///
  /// This is the usual workaround for objects that begin to match by another context's change and are missing from a
  /// fetched results controller. It costs a fault for each object.
  public var firesUpdatedObjectsBeforeMerging = false

  package let machine: any Machine
  /// The machine's recorder of activities.
  let recorder: any ActivityRecorder
  package let queue: any SerialQueue
  package let registry: Registry

  var tally = Tally()
  /// The number of changed objects that was last reported to a trace.
  var notedChangeCount = 0
  /// The change in the memory that the context's objects hold since the context last reported it.
  package var footprint = FootprintTally()
  private(set) var blockDepth = 0
  /// True while a block of the parent runs on behalf of this context, which waits until the block ends.
  private(set) var isInParentBlock = false
  /// The objects that the running block fetched or touched.
  var blockPool: [Unmanaged<ManagedObject>] = []
  /// The IDs that are registered in this context, and will be registered with the row cache by the next report.
  var newlyRegistered: [ObjectID] = []

  /// True if changes made now do not make objects dirty.
  var ignoresChanges = false
  /// True while a save is in progress.
  var isSaving = false

  // Changed objects, strongly held, in the order in which they changed first; an entry counts while its flag is set.
  var insertedList: [ManagedObject] = []
  var updatedList: [ManagedObject] = []
  var deletedList: [ManagedObject] = []
  var pendingEvent = PendingEvent()
  /// The event that is being reported to controllers and observers, or nil.
  var reportedEvent: ReportedEvent?
  /// Unchanged objects whose versions the next save compares.
  var watchedList: [(object: ManagedObject, base: Row?)] = []
  /// Deleted objects whose delete rules have not been carried out.
  var unpropagatedList: [ManagedObject] = []
  /// Every registered object if the context keeps them, otherwise nil.
  var retainedObjects: [ManagedObject]?
  /// The object that records what an undo needs of the running event, or nil without an undo manager.
  var changeRecorder: (any ChangeRecorder)?

  /// The state of the store that a context on a coordinator reads from.
  var generationPin = GenerationPin.none

  let willSaveObservers = ObserverList<SaveNotification>()
  let didSaveObservers = ObserverList<SaveNotification>()
  let didChangeObservers = ObserverList<ChangeNotification>()
  let didMergeObservers = ObserverList<MergeNotification>()
  let didMergeChangesObservers = ObserverList<MergedChangesNotification>()
  /// The fetched results controllers, which are notified of changes before other observers.
  let controllers = ObserverList<ControllerEvent>()
  let automaticMerging: AutomaticMerging

  /// Creates a context directly on a coordinator's store.
  public convenience init(
    _ concurrencyType: ConcurrencyType, coordinator: PersistentStoreCoordinator, name: String
  ) {
    self.init(concurrencyType, coordinator: coordinator, parent: nil, name: name)
  }

  /// Creates a context, confined to a queue, directly on a coordinator's store. Blocks that run on that queue may use
  /// it.
  package convenience init(confinedTo queue: any SerialQueue, coordinator: PersistentStoreCoordinator, name: String) {
    self.init(.confinement, coordinator: coordinator, parent: nil, name: name, confinedTo: queue)
  }

  /// Creates a context below another context, which lives at least as long. Traps if the parent is confined to a
  /// thread.
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
    recorder = machine.recorder
    queue =
      switch concurrencyType {
      case .mainQueue: machine.mainQueue
      case .privateQueue: machine.makeSerialQueue(label: name)
      case .confinement: ConfinedQueue(label: name, coordinator: coordinator, queue: owner)
      }
    registry = Registry(model: coordinator.model, warnings: coordinator.warnings)
    automaticMerging = parent?.childMerging ?? coordinator.automaticMerging
    registry.owner = .passUnretained(self)
    if concurrencyType != .confinement || owner != nil { coordinator.noteQueue(owner ?? queue) }
    machine.account(Work(.contextMade))
  }

  /// The children of this context that merge its saves automatically.
  let childMerging = AutomaticMerging()

  deinit {
    automaticMerging.remove(self)
    let departed = registry.takeDeparted()
    let living = registry.allObjects()
    unregister(departed, living: living)
  }
}

// MARK: - Blocks

extension ManagedObjectContext {
  /// Runs `body` asynchronously on the context's queue, as a separate event: pending changes are processed at its end.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in performed(body) }
  }

  /// Runs `body` like `perform(_:)` once the clock reads `deadline`.
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

  /// Runs `body` on the context's queue and returns its result.
  ///
  /// Blocks until the queue is free. If the caller holds the queue, the body runs at once, inside the caller's block.
  /// The body of a private queue runs on the caller's thread. Unlike `perform(_:)`, the call does not process pending
  /// changes.
  public func performAndWait<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    machine.account(Work(.performAndWait))
    if queue.isCurrent, concurrencyType != .confinement {
      return try block(body)
    }
    return try queue.sync { () throws(Failure) -> Result in try block(body) }
  }

  /// Runs `body` in a block of the parent while this context waits; `body` may use both contexts.
  ///
  /// If the parent is a main-queue context, the body runs on the main thread, which does not hold this context's queue;
  /// the thread that holds that queue is parked until the body ends. Blocks until the parent's queue is free.
  func inParentBlock<Result, Failure: Error>(
    of parent: ManagedObjectContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try parent.performAndWait { () throws(Failure) -> Result in
      // The flag is set here and not before, because until now another thread may have held the parent's queue.
      let outer = isInParentBlock
      isInParentBlock = true
      defer { isInParentBlock = outer }
      return try body()
    }
  }

  /// Runs `body` as an event of the main run loop that is already running on the context's queue, or of the thread that
  /// the context is confined to. This is for code that does not use `perform`. Objects that the body touched live until
  /// its end.
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

  /// Indicates whether the context has unsaved changes once every block posted to its queue so far has run. It may be
  /// read from any other queue.
  ///
  /// Blocks on the queue. The read does not count as a block of the app; it is meant for code that observes a stack.
  package var isDirty: Bool { (confiningQueue ?? queue).sync { hasChanges } }

  /// The queue to which the context is confined, or nil for a context with a queue and for one that is confined to a
  /// thread.
  package var confiningQueue: (any SerialQueue)? { (queue as? ConfinedQueue)?.owningQueue }

  /// Runs `body` and, at the end of the outermost block, releases the objects that it touched and reports its work.
  private func block<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    blockDepth += 1
    defer {
      blockDepth -= 1
      if blockDepth == 0 { endBlock() }
    }
    return try body()
  }

  /// Ends the implicit block of code that uses a confined context outside an event. Has no effect inside a block.
  func endConfinedBlock() {
    if concurrencyType == .confinement, blockDepth == 0 { endBlock() }
  }

  private func endBlock() {
    if !blockPool.isEmpty { emptyPool() }
    unregister(registry.takeDeparted(), living: [])
    reportWork()
  }
}
