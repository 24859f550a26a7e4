// MARK: - Stores without history

extension PersistentStore {
  /// A store without history refuses to be asked for it.
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
