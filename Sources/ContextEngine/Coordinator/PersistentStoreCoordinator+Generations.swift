import MachineCore

// MARK: - Query generations

extension PersistentStoreCoordinator {
  /// Whether every store can hold a state.
  var supportsQueryGenerations: Bool {
    let members = attachedStores.members
    return !members.isEmpty && members.allSatisfy { $0.store.supportsGenerations }
  }

  /// Holds the newest state of every store. Blocks on opening a connection to each.
  func pinNewestGeneration() throws(PersistenceError) -> QueryGeneration {
    let stores = try attachedStores.pinned(model)
    let reader = PersistentStoreCoordinator(generationOf: self, stores: stores)
    return QueryGeneration(number: generationNumbers.next(), origin: self, reader: reader)
  }

  /// Enters a row that was read into the row cache; a generation's keeps all of them.
  func enter(_ row: Row, of objectID: ObjectID) {
    if isGeneration { rowCache.register([objectID]) }
    rowCache.enter(row, of: objectID)
  }

  /// The same for many.
  func enter(_ rows: some Collection<(ObjectID, Row)>) {
    if isGeneration { rowCache.register(rows.map(\.0)) }
    rowCache.enter(rows)
  }
}

extension AttachedStores {
  /// The stores as they are now, each under its number.
  fileprivate func pinned(_ model: ManagedObjectModel) throws(PersistenceError) -> AttachedStores {
    var pinned: [StoreGroup.Member] = []
    for member in members {
      let store = try member.store.pinnedGeneration()
      pinned.append(.init(number: member.number, store: store, configuration: member.configuration))
    }
    return AttachedStores(pinned, model)
  }
}
