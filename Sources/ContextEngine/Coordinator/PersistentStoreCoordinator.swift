import MachineCore

/// Mediates between contexts and a store: row cache, locks, conflicts, identities.
///
/// May be used from any thread. With a connection pool of 1 it serialises every fetch and save, as before iOS 10; with
/// more, readers work side by side and a fair lock is the writer's turn.
public final class PersistentStoreCoordinator: Sendable {
  public let model: ManagedObjectModel
  package let machine: any Machine
  let store: any PersistentStore
  let rowCache: RowCache
  let identities: IdentityMap
  /// Contexts on the coordinator that merge the saves of others automatically.
  let automaticMerging = AutomaticMerging()
  /// The writer's turn; with a pool of 1, everybody's.
  private let writerLock: any MachineLock
  let saveNumbers = SaveNumbers()

  package init(machine: any Machine, store: any PersistentStore) {
    self.machine = machine
    self.store = store
    model = store.model
    identities = IdentityMap()
    rowCache = RowCache(machine: machine, entityCount: store.model.entities.count, identities: identities)
    writerLock = machine.makeLock(label: store.connectionPoolSize == 1 ? "coordinator" : "writer's turn")
  }

  /// Runs a read: at once where there are several connections, else in the coordinator's turn.
  func reading<Result>(_ body: () throws(PersistenceError) -> Result) throws(PersistenceError) -> Result {
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
  func row(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    let permanent = identities.canonical(objectID)
    if permanent.isTemporaryID { return nil }
    if let row = rowCache.row(for: permanent) { return row }
    return try reading { () throws(PersistenceError) -> Row? in
      let row = try store.row(for: permanent)
      if let row { rowCache.enter([(permanent, row)]) }
      return row
    }
  }

  /// The IDs at the other end of a to-many relationship: one SELECT.
  func relatedObjectIDs(of objectID: ObjectID, at toMany: Int) throws(PersistenceError) -> [ObjectID] {
    let permanent = identities.canonical(objectID)
    let relationship = model.entities[permanent.entityIndex].toManys[toMany]
    let keys = try reading { () throws(PersistenceError) -> [Int64] in
      try store.keys(relatedBy: relationship, to: permanent)
    }
    return keys.map { ObjectID(entity: relationship.destination, key: $0) }
  }

  func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    try reading { () throws(PersistenceError) -> [StoreRow] in try store.fetch(request) }
  }

  func fetchKeys(_ request: StoreFetchRequest) throws(PersistenceError) -> [Int64] {
    try reading { () throws(PersistenceError) -> [Int64] in try store.fetchKeys(request) }
  }

  func rows(
    of entity: EntityDescription, keys: [Int64], slots: UInt64
  ) throws(PersistenceError) -> [StoreRow] {
    try reading { () throws(PersistenceError) -> [StoreRow] in
      try store.rows(of: entity, keys: keys, slots: slots)
    }
  }
}
