import ContextEngine
import MachineCore

extension PersistentStoreCoordinator {
  /// Creates a coordinator over an SQLite store. Contexts are created on the coordinator.
  ///
  /// - Parameters:
  ///   - machine: the machine that provides queues, locks and time, with which the store was created.
  ///   - sqliteStore: the store.
  ///   - checksConcurrency: true if contexts trap when they or their objects are used off their queues.
  public convenience init(machine: any Machine, sqliteStore: SQLiteStore, checksConcurrency: Bool = false) {
    self.init(machine: machine, store: sqliteStore, checksConcurrency: checksConcurrency)
  }

  /// Adds an SQLite store, as Core Data's `addPersistentStore(type:configuration:at:options:)` does.
  ///
  /// The store takes new objects of the entities in the configuration, unless a store that was added earlier takes them
  /// or an object was assigned to another store. Later fetches look into every store. Traps if the store has another
  /// model than the coordinator, was made for another configuration or was added before.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - configuration: the name of a configuration of the model, or nil for the entities that the store was made for.
  public func addPersistentStore(_ store: SQLiteStore, configuration: String? = nil) {
    addPersistentStore(store as any PersistentStore, configuration: configuration)
  }

  /// Removes an SQLite store and closes it. The file stays.
  ///
  /// Blocks until running requests have ended. Values that contexts have read stay readable; a request that needs the
  /// store throws `storeOpen` from now on. Traps if the coordinator does not have the store.
  ///
  /// - Throws: `PersistenceError` if the store cannot be closed.
  public func removePersistentStore(_ store: SQLiteStore) throws(PersistenceError) {
    try removePersistentStore(store as any PersistentStore)
  }
}

extension ManagedObjectContext {
  /// Sets the store into which a new object is saved, if several stores take its entity.
  ///
  /// The assignment applies at every level of nested contexts. Traps if the object has a store already, if the
  /// coordinator does not have the store, or if the store does not take the object's entity.
  ///
  /// - Parameters:
  ///   - object: a new object.
  ///   - store: a store of the context's coordinator.
  public func assign(_ object: ManagedObject, to store: SQLiteStore) {
    assign(object, to: store as any PersistentStore)
  }
}
