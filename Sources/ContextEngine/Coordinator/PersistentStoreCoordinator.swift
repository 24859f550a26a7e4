import MachineCore

/// Mediates between contexts and a store, or several: row cache, locks, conflicts, identities.
///
/// May be used from any thread. With a connection pool of 1 it serialises every fetch and save, as before iOS 10; with
/// more, readers work side by side and a fair lock is the writer's turn.
public final class PersistentStoreCoordinator: Sendable {
  public let model: ManagedObjectModel
  package let machine: any Machine
  let attachedStores: AttachedStores
  let rowCache: RowCache
  /// When cached rows were read, where a context asks for that.
  let rowAges: RowAges
  let identities: IdentityMap
  /// The bytes that all contexts and the row cache hold.
  package let footprint = MemoryFootprint()
  /// The objects that other parts of the engine keep with the coordinator.
  let associatedObjects = AssociatedObjects()
  /// The writer's turn; with a pool of 1, everybody's.
  let writerLock: any MachineLock
  /// Takes the warnings of all contexts and objects.
  let warnings = WarningLog()
  let saveNumbers = SaveNumbers()
  let generationNumbers = SaveNumbers()
  /// Whether this reads a query generation: the rows that it has read stay in its row cache, whoever has registered them.
  let isGeneration: Bool
  /// Whether contexts trap when they or their objects are used off their queues; costs a look-up with each use.
  package let checksConcurrency: Bool

  /// Makes a coordinator of one store, which takes objects of every entity; others may be added.
  package convenience init(machine: any Machine, store: any PersistentStore, checksConcurrency: Bool = false) {
    self.init(
      machine: machine, model: store.model, stores: AttachedStores(store), checksConcurrency: checksConcurrency)
  }

  /// Creates a coordinator without any store.
  ///
  /// Until a store is added, a fetch finds nothing and a save of new objects throws `storeAssignment`.
  ///
  /// - Parameters:
  ///   - machine: the queues, locks and clock of the coordinator and its contexts.
  ///   - model: the model of every store that is added.
  ///   - checksConcurrency: whether contexts trap when they or their objects are used off their queues.
  public convenience init(machine: any Machine, model: ManagedObjectModel, checksConcurrency: Bool = false) {
    self.init(
      machine: machine, model: model, stores: AttachedStores(none: model), checksConcurrency: checksConcurrency)
  }

  /// Makes what reads the rows of another coordinator's stores as they were at one moment.
  convenience init(generationOf origin: PersistentStoreCoordinator, stores: AttachedStores) {
    self.init(
      machine: origin.machine, model: origin.model, stores: stores, checksConcurrency: false,
      identities: origin.identities, isGeneration: true)
  }

  private init(
    machine: any Machine, model: ManagedObjectModel, stores: AttachedStores, checksConcurrency: Bool,
    identities: IdentityMap = IdentityMap(), isGeneration: Bool = false
  ) {
    self.machine = machine
    self.model = model
    self.checksConcurrency = checksConcurrency
    self.isGeneration = isGeneration
    attachedStores = stores
    self.identities = identities
    rowAges = RowAges(machine: machine)
    rowCache = RowCache(
      entityCount: model.entities.count, identities: identities, footprint: footprint, ages: rowAges,
      isCounted: !isGeneration)
    writerLock = machine.makeLock(label: stores.current.connectionPoolSize == 1 ? "coordinator" : "writer's turn")
  }

  /// What serves the coordinator's requests: its store, or all of them as one.
  var store: any PersistentStore { attachedStores.current }

  private let backgroundQueue = Guarded<(any SerialQueue)?>(nil)

  /// Where asynchronous fetches read their rows; made when it is first needed.
  var fetchQueue: any SerialQueue {
    backgroundQueue.withLock { known in
      if let known { return known }
      let queue = machine.makeSerialQueue(label: "asynchronous fetches")
      known = queue
      return queue
    }
  }

  /// The queues of contexts that are checked, kept for the sentences of traps.
  private let checkedQueues = Guarded<[any SerialQueue]>([])

  /// Remembers the queue of a context where uses are checked.
  func noteQueue(_ queue: any SerialQueue) {
    guard checksConcurrency else { return }
    checkedQueues.withLock { $0.append(queue) }
  }

  /// A context's queue that the calling thread holds; nil = none. Known where uses are checked only.
  func currentQueue() -> (any SerialQueue)? {
    checkedQueues.withLock { $0 }.last { $0.isCurrent }
  }

  /// Runs a read: at once where there are several connections, else in the coordinator's turn.
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
  /// The row of one object: from the row cache, else by one SELECT, which enters it there. Nil = no such row.
  ///
  /// - Parameter stalenessInterval: how old a cached row may be; negative = as old as it likes.
  func row(
    for objectID: ObjectID, stalenessInterval: Span = .unbounded
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

  /// The request with each temporary ID in its predicate made permanent where it is known to have become so.
  func permanent(_ request: StoreFetchRequest) -> StoreFetchRequest {
    guard identities.isUsed, let predicate = request.predicate else { return request }
    var request = request
    request.predicate = predicate.mapObjectIDs(identities.canonical)
    return request
  }

  func rows(
    of entity: EntityDescription, keys: [Int64], slots: UInt64
  ) throws(PersistenceError) -> [StoreRow] {
    try reading { () throws(PersistenceError) -> [StoreRow] in
      try store.rows(of: entity, keys: keys, slots: slots)
    }
  }
}
