import ContextEngine

/// Requests that run in a separate block, for use inside expectations.
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

  /// Returns the titles of all books, from outside the context's queue.
  func titlesAndWait() throws(PersistenceError) -> [String] {
    try performAndWait { () throws(PersistenceError) in try titles() }
  }
}
