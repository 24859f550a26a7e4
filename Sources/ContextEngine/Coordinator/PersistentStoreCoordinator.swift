import MachineCore

/// Mediates between contexts and one or more stores: it has the row cache, the locks, the detection of conflicts and
/// the object IDs.
///
/// A coordinator may be used from any thread. With a connection pool of 1 it serialises every fetch and save, as
/// before iOS 10. With a larger pool, readers work concurrently, and a fair lock serialises writers.
///
/// A coordinator is created with the machine of its store, which supplies queues, locks and a clock:
///
/// ```swift
/// let machine = LiveMachine(ledger: WorkLedger())
/// let store = InMemoryStore(machine, model: model)
/// let coordinator = PersistentStoreCoordinator(machine: machine, inMemoryStore: store)
/// let context = ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "list")
/// ```
public final class PersistentStoreCoordinator: Sendable {
  /// The model of the coordinator's stores.
  public let model: ManagedObjectModel
  package let machine: any Machine
  let attachedStores: AttachedStores
  package let rowCache: RowCache
  /// The times at which cached rows were read, which are kept if a context needs them.
  let rowAges: RowAges
  let identities: IdentityMap
  /// The number of bytes that all contexts and the row cache use.
  package let footprint: MemoryFootprint
  /// The objects that other parts of the engine keep with the coordinator.
  let associatedObjects = AssociatedObjects()
  /// The lock that serialises writers, and also readers if the connection pool is 1.
  package let writerLock: any MachineLock
  /// The log for the warnings of all contexts and objects.
  let warnings = WarningLog()
  let saveNumbers = SaveNumbers()
  let generationNumbers = SaveNumbers()
  /// True if this coordinator reads a query generation. The rows that it has read stay in its row cache, even if no
  /// context has registered them.
  let isGeneration: Bool
  /// Indicates whether contexts trap when they or their objects are used off their queues. Each use then costs a
  /// look-up.
  package let checksConcurrency: Bool

  /// Creates a coordinator with one store, which takes objects of every entity. Other stores may be added.
  ///
  /// Coordinators of one stack may share a memory footprint, which then is that of all of them.
  package convenience init(
    machine: any Machine, store: any PersistentStore, checksConcurrency: Bool = false,
    footprint: MemoryFootprint = MemoryFootprint()
  ) {
    self.init(
      machine: machine, model: store.model, stores: AttachedStores(store), checksConcurrency: checksConcurrency,
      footprint: footprint)
  }

  /// Creates a coordinator without any store.
  ///
  /// Until a store is added, a fetch returns no objects and a save of new objects throws `storeAssignment`.
  ///
  /// - Parameters:
  ///   - machine: the queues, locks and clock of the coordinator and its contexts.
  ///   - model: the model of every store that is added.
  ///   - checksConcurrency: whether contexts trap when they or their objects are used off their queues.
  public convenience init(machine: any Machine, model: ManagedObjectModel, checksConcurrency: Bool = false) {
    self.init(
      machine: machine, model: model, stores: AttachedStores(none: model), checksConcurrency: checksConcurrency)
  }

  /// Creates a coordinator that reads the rows of another coordinator's stores as they were at one moment.
  convenience init(generationOf origin: PersistentStoreCoordinator, stores: AttachedStores) {
    self.init(
      machine: origin.machine, model: origin.model, stores: stores, checksConcurrency: false,
      identities: origin.identities, isGeneration: true)
  }

  private init(
    machine: any Machine, model: ManagedObjectModel, stores: AttachedStores, checksConcurrency: Bool,
    identities: IdentityMap? = nil, isGeneration: Bool = false, footprint: MemoryFootprint = MemoryFootprint()
  ) {
    self.footprint = footprint
    self.machine = machine
    self.model = model
    self.checksConcurrency = checksConcurrency
    self.isGeneration = isGeneration
    attachedStores = stores
    let identities = identities ?? IdentityMap(roots: model.entities.map(\.root.index))
    self.identities = identities
    rowAges = RowAges(machine: machine)
    rowCache = RowCache(
      entityCount: model.entities.count, identities: identities, footprint: footprint, ages: rowAges,
      isCounted: !isGeneration)
    writerLock = machine.makeLock(label: stores.current.connectionPoolSize == 1 ? "coordinator" : "writer's turn")
  }

  /// The store that serves the coordinator's requests: its only store, or the group of its stores.
  var store: any PersistentStore { attachedStores.current }

  private let backgroundQueue = Guarded<(any SerialQueue)?>(nil)

  /// The queue on which asynchronous fetches read their rows. It is created at the first use.
  package var fetchQueue: any SerialQueue {
    backgroundQueue.withLock { known in
      if let known { return known }
      let queue = machine.makeSerialQueue(label: "asynchronous fetches")
      known = queue
      return queue
    }
  }

  /// The queues of the contexts whose uses are checked, for the messages of traps.
  private let checkedQueues = Guarded<[any SerialQueue]>([])

  /// Records the queue of a context if uses are checked.
  func noteQueue(_ queue: any SerialQueue) {
    guard checksConcurrency else { return }
    checkedQueues.withLock { $0.append(queue) }
  }

  /// Returns the context queue that the calling thread is running on, or nil if there is none or uses are not checked.
  func currentQueue() -> (any SerialQueue)? {
    checkedQueues.withLock { $0 }.last { $0.isCurrent }
  }

  /// Runs a read: immediately if the store has several connections, otherwise under the coordinator's lock.
  func reading<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    try reading(from: store, body)
  }

  private func reading<Result>(
    from store: any PersistentStore, _ body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    guard store.connectionPoolSize == 1 else { return try body() }
    return try writerLock.withLock(body)
  }

  func writing<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
    try writerLock.withLock(body)
  }
}

// MARK: - Reading

extension PersistentStoreCoordinator {
  /// Returns the row of one object, or nil if it does not exist. The row is taken from the row cache, or read by one
  /// SELECT and entered into the cache. A cached row that is older than `stalenessInterval` is read again; a negative
  /// interval accepts any age.
  func row(
    for objectID: ObjectID, stalenessInterval: TimeSpan = .unbounded
  ) throws(PersistenceError) -> Row? {
    let permanent = identities.canonical(objectID)
    if permanent.isTemporaryID { return nil }
    if let row = rowCache.row(for: permanent), !rowAges.isStale(permanent, after: stalenessInterval) { return row }
    let store = store
    return try reading(from: store) { () throws(PersistenceError) -> Row? in
      let row = try store.row(for: permanent)
      if let row { enter(row, of: permanent) } else { rowCache.remove([permanent]) }
      return row
    }
  }

  func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let request = permanent(request)
    return try reading { () throws(PersistenceError) -> [StoreRow] in try store.fetch(request) }
  }

  func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    let request = permanent(request)
    return try reading { () throws(PersistenceError) -> [ObjectID] in try store.fetchObjectIDs(request) }
  }

  /// Returns the request with each temporary ID in its predicate replaced by the permanent one, if that is known.
  func permanent(_ request: StoreFetchRequest) -> StoreFetchRequest {
    guard identities.isUsed, let predicate = request.predicate else { return request }
    var request = request
    request.predicate = predicate.mapObjectIDs(identities.canonical)
    return request
  }

  func rows(
    of entity: EntityDescription, keys: [Int64], slots: SlotSet
  ) throws(PersistenceError) -> [StoreRow] {
    try reading { () throws(PersistenceError) -> [StoreRow] in
      try store.rows(of: entity, keys: keys, slots: slots)
    }
  }
}
