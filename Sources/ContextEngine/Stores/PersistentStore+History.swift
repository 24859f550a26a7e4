// MARK: - Stores without history

extension PersistentStore {
  /// Throws an error, because a store without history cannot return any.
  package func history(
    _ request: StoreHistoryRequest
  ) throws(PersistenceError) -> [PersistentHistoryTransaction] {
    throw Self.hasNoHistory
  }

  package func deleteHistory(before bound: StoreHistoryRequest.Bound) throws(PersistenceError) -> Int {
    throw Self.hasNoHistory
  }

  package func lastTransactionNumber() throws(PersistenceError) -> Int64? { nil }

  package static var hasNoHistory: PersistenceError {
    PersistenceError(.unsupportedRequest, "the store keeps no history; open it with history tracking")
  }
}
