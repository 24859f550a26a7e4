import MachineCore

// MARK: - Query generations

extension PersistentStoreCoordinator {
  /// True if there is a store and every store can keep a state for readers.
  var supportsQueryGenerations: Bool {
    let members = attachedStores.members
    return !members.isEmpty && members.allSatisfy { $0.store.supportsGenerations }
  }

  /// Pins the newest state of every store. Blocks while it opens a connection to each.
  func pinNewestGeneration() throws(PersistenceError) -> QueryGeneration {
    let stores = try attachedStores.pinned(model)
    let reader = PersistentStoreCoordinator(generationOf: self, stores: stores)
    return QueryGeneration(number: generationNumbers.next(), origin: self, reader: reader)
  }

  /// Enters a row that was read into the row cache. If this coordinator reads a query generation, the row is
  /// registered first, so that the cache keeps it.
  func enter(_ row: Row, of objectID: ObjectID) {
    if isGeneration { rowCache.register([objectID]) }
    rowCache.enter(row, of: objectID)
  }

  /// Enters rows that were read into the row cache, and registers them if this reads a query generation.
  func enter(_ rows: some Collection<(ObjectID, Row)>) {
    if isGeneration { rowCache.register(rows.map(\.0)) }
    rowCache.enter(rows)
  }
}

extension AttachedStores {
  /// Returns read-only stores with the current state of each store, under the same numbers.
  fileprivate func pinned(_ model: ManagedObjectModel) throws(PersistenceError) -> AttachedStores {
    var pinned: [StoreGroup.Member] = []
    for member in members {
      let store = try member.store.pinnedGeneration()
      pinned.append(.init(number: member.number, store: store, configuration: member.configuration))
    }
    return AttachedStores(pinned, model: model)
  }
}
