import MachineCore

// MARK: - Requests to the store

extension ManagedObjectContext {
  /// Inserts rows into the store, past this context and all above it. What a uniqueness constraint meets is settled by
  /// this context's merge policy.
  ///
  /// Blocks on the writer's turn and the disk; not on a parent context, since nothing of it is asked.
  ///
  /// - Throws: `PersistenceError`: `unsupportedRequest` for values that the entity cannot have and for stores without
  ///   batch requests, SQLite's errors with their statement.
  public func execute(_ request: BatchInsertRequest) throws(PersistenceError) -> BatchResult {
    BatchResult(try insertBatch(request), as: request.resultType)
  }

  /// Inserts rows, and tells when they were committed.
  package func insertBatch(_ request: BatchInsertRequest) throws(PersistenceError) -> StoreBatchOutcome {
    try executing { () throws(PersistenceError) in
      try coordinator.execute(request, policy: mergePolicy, from: transactionOrigin)
    }
  }

  /// Changes rows in the store, past all contexts. Blocks, and throws, likewise; `unsupportedRequest` also for a relationship
  /// among what it sets.
  public func execute(_ request: BatchUpdateRequest) throws(PersistenceError) -> BatchResult {
    let outcome = try executing { () throws(PersistenceError) in
      try coordinator.execute(request, from: transactionOrigin)
    }
    return BatchResult(outcome, as: request.resultType)
  }

  /// Deletes rows in the store, past all contexts. Blocks, and throws, likewise; besides `validationRelationshipDeniedDelete` where a
  /// delete rule refuses, with the objects that it protects.
  public func execute(_ request: BatchDeleteRequest) throws(PersistenceError) -> BatchResult {
    let outcome = try executing { () throws(PersistenceError) in
      try coordinator.execute(request, from: transactionOrigin)
    }
    return BatchResult(outcome, as: request.resultType)
  }

  private func executing<Result>(
    _ body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    checkQueue()
    reportFootprint()
    return try machine.during(.save, in: name, body)
  }
}
