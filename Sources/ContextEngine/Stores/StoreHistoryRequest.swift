/// A request for a store's history, as the store takes it.
package struct StoreHistoryRequest: Sendable {
  package enum Bound: Hashable, Sendable {
    case none
    case token(PersistentHistoryToken)
    /// Seconds since 2001-01-01 00:00 UTC.
    case timestamp(Double)
  }

  /// Fetches: later ones; deletions: earlier ones.
  package var bound: Bound
  package var filter: PersistentHistoryFilter?
  package var changeFilter: PersistentHistoryChangeFilter?
  package var includesChanges: Bool

  package init(
    bound: Bound, filter: PersistentHistoryFilter? = nil, changeFilter: PersistentHistoryChangeFilter? = nil,
    includesChanges: Bool = true
  ) {
    self.bound = bound
    self.filter = filter
    self.changeFilter = changeFilter
    self.includesChanges = includesChanges
  }
}

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
