import MachineCore

// MARK: - Persistent history

extension PersistentStoreCoordinator {
  /// The place in history at which the store is now; nil where it keeps none. One SELECT.
  public func currentPersistentHistoryToken() throws(PersistenceError) -> PersistentHistoryToken? {
    let number = try reading { () throws(PersistenceError) in try store.lastTransactionNumber() }
    return number.map { PersistentHistoryToken([store.identifier: $0]) }
  }

  /// Fetches or deletes history. Blocks on a connection; a deletion on the writer's turn.
  ///
  /// - Throws: `PersistenceError`: `unsupportedRequest` where the store keeps no history, `historyTokenExpired` where
  ///   transactions after the token have been deleted.
  public func execute(_ request: PersistentHistoryChangeRequest) throws(PersistenceError) -> PersistentHistoryResult {
    if request.isDeletion {
      let count = try writing { () throws(PersistenceError) in try store.deleteHistory(before: request.bound) }
      return request.resultType == .count ? .count(count) : .status(true)
    }
    let includesChanges: Bool =
      switch request.resultType {
      case .objectIDs, .changesOnly, .transactionsAndChanges: true
      case .statusOnly, .count, .transactionsOnly: false
      }
    let wanted = StoreHistoryRequest(
      bound: request.bound, filter: request.filter, includesChanges: includesChanges)
    let transactions = try reading { () throws(PersistenceError) in try store.history(wanted) }
    let changes = transactions.flatMap { $0.changes ?? [] }
    switch request.resultType {
    case .statusOnly: return .status(true)
    case .count: return .count(transactions.count)
    case .changesOnly: return .changes(changes)
    case .transactionsOnly, .transactionsAndChanges: return .transactions(transactions)
    case .objectIDs:
      var seen: Set<ObjectID> = []
      return .objectIDs(changes.map(\.changedObjectID).filter { seen.insert($0).inserted })
    }
  }
}

extension ManagedObjectContext {
  /// Fetches or deletes history of the coordinator's store. Blocks, and throws, as the coordinator's method does.
  public func execute(_ request: PersistentHistoryChangeRequest) throws(PersistenceError) -> PersistentHistoryResult {
    checkQueue()
    return try coordinator.execute(request)
  }
}
