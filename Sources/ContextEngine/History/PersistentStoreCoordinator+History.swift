import MachineCore

// MARK: - Persistent history

extension PersistentStoreCoordinator {
  /// Returns a token of the last transaction of each store, or nil if no store keeps history. Runs one SELECT for each
  /// store.
  public func currentPersistentHistoryToken() throws(PersistenceError) -> PersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for member in attachedStores.members {
      let number = try reading { () throws(PersistenceError) in try member.store.lastTransactionNumber() }
      if let number { numbers[member.store.identifier] = number }
    }
    return numbers.isEmpty ? nil : PersistentHistoryToken(numbers)
  }

  /// Fetches or deletes history. Blocks until a connection is free; a deletion also waits for the lock for writing.
  ///
  /// A store that a token does not contain was added after it: a fetch returns its whole history, and a deletion leaves
  /// it alone.
  ///
  /// - Throws: `PersistenceError`: `unsupportedRequest` if no store keeps history, `historyTokenExpired` if
  ///   transactions after the token have been deleted, `invalidPredicate` if a filter names an entity that the model
  ///   does not have.
  public func execute(_ request: PersistentHistoryChangeRequest) throws(PersistenceError) -> PersistentHistoryResult {
    if request.isDeletion {
      let count = try writing { () throws(PersistenceError) -> Int in
        var count = 0
        for (member, bound) in try keepers(request.bound) {
          // The history of a store that the token does not contain is all newer than the token.
          if bound == .none, request.bound != .none { continue }
          count += try member.store.deleteHistory(before: bound)
        }
        return count
      }
      return request.resultType == .count ? .count(count) : .status(true)
    }
    let includesChanges: Bool =
      switch request.resultType {
      case .objectIDs, .changesOnly, .transactionsAndChanges: true
      case .statusOnly, .count, .transactionsOnly: false
      }
    let transactions = try reading { () throws(PersistenceError) -> [PersistentHistoryTransaction] in
      var transactions: [PersistentHistoryTransaction] = []
      for (member, bound) in try keepers(request.bound) {
        let wanted = StoreHistoryRequest(
          bound: bound, filter: request.filter, changeFilter: request.changeFilter?.inStore(member.number),
          includesChanges: includesChanges)
        transactions += try member.store.history(wanted).map { $0.inStore(member.number) }
      }
      return transactions
    }
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

extension PersistentStoreCoordinator {
  /// Returns the stores that keep history, each with its bound. A store that a token does not contain was added later,
  /// so that its whole history is after the token; its bound is `.none`.
  private func keepers(
    _ bound: StoreHistoryRequest.Bound
  ) throws(PersistenceError) -> [(StoreGroup.Member, StoreHistoryRequest.Bound)] {
    var keepers: [StoreGroup.Member] = []
    for member in attachedStores.members where try member.store.lastTransactionNumber() != nil {
      keepers.append(member)
    }
    guard !keepers.isEmpty else { throw StoreGroup.hasNoHistory }
    guard case .token(let token) = bound,
      keepers.contains(where: { token.transactionNumbers[$0.store.identifier] != nil })
    else { return keepers.map { ($0, bound) } }
    return keepers.map { ($0, token.transactionNumbers[$0.store.identifier] == nil ? .none : bound) }
  }
}

extension PersistentHistoryTransaction {
  /// Returns the transaction with the object IDs of the coordinator for the store with this number.
  fileprivate func inStore(_ number: Int) -> PersistentHistoryTransaction {
    guard number > 0 else { return self }
    return PersistentHistoryTransaction(
      storeID: storeID, transactionNumber: transactionNumber, timestamp: timestamp, bundleID: bundleID,
      processID: processID, contextName: contextName, author: author, changes: changes?.map { $0.inStore(number) })
  }
}

extension PersistentHistoryChange {
  fileprivate func inStore(_ number: Int) -> PersistentHistoryChange {
    PersistentHistoryChange(
      changeID: changeID, transactionNumber: transactionNumber, changedObjectID: changedObjectID.inStore(number),
      changeType: changeType, updatedProperties: updatedProperties, tombstone: tombstone)
  }
}

extension ManagedObjectContext {
  /// Fetches or deletes history of the coordinator's stores. Blocks and throws like the coordinator's method.
  public func execute(_ request: PersistentHistoryChangeRequest) throws(PersistenceError) -> PersistentHistoryResult {
    checkQueue()
    return try coordinator.execute(request)
  }
}
