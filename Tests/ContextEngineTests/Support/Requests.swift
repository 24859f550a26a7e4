import ContextEngine

/// Requests in a block of their own, for use inside expectations.
extension ManagedObjectContext {
  @discardableResult
  func executeAndWait(_ request: BatchInsertRequest) throws(PersistenceError) -> BatchResult {
    try performAndWait { () throws(PersistenceError) in try execute(request) }
  }

  @discardableResult
  func executeAndWait(_ request: BatchUpdateRequest) throws(PersistenceError) -> BatchResult {
    try performAndWait { () throws(PersistenceError) in try execute(request) }
  }

  @discardableResult
  func executeAndWait(_ request: BatchDeleteRequest) throws(PersistenceError) -> BatchResult {
    try performAndWait { () throws(PersistenceError) in try execute(request) }
  }

  /// The titles of all books, from outside the context's queue.
  func titlesAndWait() throws(PersistenceError) -> [String] {
    try performAndWait { () throws(PersistenceError) in try titles() }
  }
}
