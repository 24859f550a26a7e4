import MachineCore

// MARK: - Batch requests

extension PersistentStoreCoordinator {
  /// Inserts rows. Blocks until the store's writer is free and the rows are written.
  func execute(
    _ request: BatchInsertRequest, policy: MergePolicy, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    guard !request.entity.isAbstract else {
      trapMisuse("a batch insert makes rows of entity \(request.entity.name), which is abstract and has no rows")
    }
    let updates = policy == .objectTrump || policy == .overwrite
    let insertion = StoreBatchInsertion(
      entity: request.entity, conflictRule: updates ? .update : .ignore, batchSize: request.batchSize,
      row: BatchRow(request.entity), next: request.rows())
    return try execute(.insert(insertion), from: origin)
  }

  /// Changes rows. Blocks until the store's writer is free and the rows are written.
  func execute(
    _ request: BatchUpdateRequest, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    let assignments = try request.assignments()
    if assignments.isEmpty { return StoreBatchOutcome() }
    try FetchRequest(request.entity, predicate: request.predicate).check(model)
    let matching = StoreFetchRequest(entity: request.entity, predicate: request.predicate, sortDescriptors: [])
    let update = StoreBatchUpdate(
      request: permanent(matching), assignments: assignments, listsRows: request.resultType == .objectIDs)
    return try execute(.update(update), from: origin)
  }

  /// Deletes rows. Blocks until the store's writer is free and the rows are deleted.
  func execute(
    _ request: BatchDeleteRequest, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    if case .matches(let fetch) = request.target { try fetch.check(model) }
    let target: StoreBatchDeletion.Target =
      switch request.target {
      case .matches(let request): .matches(permanent(request.storeRequest()))
      case .objectIDs(let objectIDs): .objectIDs(objectIDs.map(identities.canonical).filter { !$0.isTemporaryID })
      }
    let deletion = StoreBatchDeletion(target: target, listsRows: request.resultType == .objectIDs)
    return try execute(.delete(deletion), from: origin)
  }

  private func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    // If the request takes several transactions, some may have been committed before one failed.
    defer { storesChanged() }
    return try writing { () throws(PersistenceError) -> StoreBatchOutcome in try store.execute(batch, from: origin) }
  }
}
