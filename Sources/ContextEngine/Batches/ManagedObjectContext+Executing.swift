import MachineCore

// MARK: - Requests to the store

extension ManagedObjectContext {
  /// Inserts rows into the store, without changing this context or its parents. This context's merge policy resolves
  /// conflicts with uniqueness constraints.
  ///
  /// Blocks until the store's writer is free and the rows are written. It does not wait for a parent context, because
  /// the request does not use one.
  ///
  /// - Throws: `PersistenceError`: `unsupportedRequest` for values that the entity cannot have and for stores without
  ///   batch requests, and SQLite's errors with their statement.
  public func execute(_ request: BatchInsertRequest) throws(PersistenceError) -> BatchResult {
    BatchResult(try insertBatch(request), as: request.resultType)
  }

  /// Inserts rows and returns an outcome that includes the time of the commit.
  package func insertBatch(_ request: BatchInsertRequest) throws(PersistenceError) -> StoreBatchOutcome {
    try executing { () throws(PersistenceError) in
      try coordinator.execute(request, policy: mergePolicy, from: transactionOrigin)
    }
  }

  /// Changes rows in the store, without changing any context. Blocks until the store's writer is free and the rows are
  /// written.
  ///
  /// - Throws: `PersistenceError`: `unsupportedRequest` for values that the entity cannot have, for relationships and
  ///   for stores without batch requests, and SQLite's errors with their statement.
  public func execute(_ request: BatchUpdateRequest) throws(PersistenceError) -> BatchResult {
    let outcome = try executing { () throws(PersistenceError) in
      try coordinator.execute(request, from: transactionOrigin)
    }
    return BatchResult(outcome, as: request.resultType)
  }

  /// Deletes rows in the store, without changing any context. Blocks until the store's writer is free and the rows are
  /// deleted.
  ///
  /// - Throws: `PersistenceError`: `validationRelationshipDeniedDelete` if a delete rule refuses the deletion, with
  ///   the objects that it protects, `unsupportedRequest` for stores without batch requests, and SQLite's errors with
  ///   their statement.
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
    return try recorder.during(.save, in: name, body: body)
  }
}
