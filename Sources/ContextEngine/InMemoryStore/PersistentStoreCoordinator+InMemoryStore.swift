import MachineCore

// MARK: - Stores in memory

extension PersistentStoreCoordinator {
  /// Creates a coordinator of one store in memory, which takes objects of every entity. Other stores may be added.
  ///
  /// - Parameters:
  ///   - machine: the machine that the store was created with.
  ///   - inMemoryStore: the store.
  ///   - checksConcurrency: whether contexts trap when they or their objects are used off their queues.
  public convenience init(machine: any Machine, inMemoryStore: InMemoryStore, checksConcurrency: Bool = false) {
    self.init(machine: machine, store: inMemoryStore, checksConcurrency: checksConcurrency)
  }

  /// Adds a store in memory, as Core Data's `addPersistentStore(type:configuration:at:options:)` does.
  ///
  /// The store takes new objects of the entities in the configuration, unless a store that was added earlier takes them
  /// or ``ManagedObjectContext/assign(_:to:)`` names another. Later fetches look into every store. Traps if the store
  /// has another model than the coordinator or was added before.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - configuration: the name of a configuration of the model, or nil for every entity.
  public func addPersistentStore(_ store: InMemoryStore, configuration: String? = nil) {
    addPersistentStore(store as any PersistentStore, configuration: configuration)
  }

  /// Removes a store in memory and closes it, which removes its rows.
  ///
  /// Blocks until running requests have ended. Values that contexts have read stay readable; a request that needs the
  /// store throws `storeOpen` from now on. Traps if the coordinator does not have the store.
  ///
  /// - Throws: `PersistenceError` if the store cannot be closed.
  public func removePersistentStore(_ store: InMemoryStore) throws(PersistenceError) {
    try removePersistentStore(store as any PersistentStore)
  }
}

extension ManagedObjectContext {
  /// Sets the store into which a new object is saved, if several stores take its entity.
  ///
  /// The assignment holds at every level of nested contexts. Traps if the object has a store already, if the
  /// coordinator does not have the store, or if the store does not take the object's entity.
  ///
  /// - Parameters:
  ///   - object: a new object.
  ///   - store: a store of the context's coordinator.
  public func assign(_ object: ManagedObject, to store: InMemoryStore) {
    assign(object, to: store as any PersistentStore)
  }
}
