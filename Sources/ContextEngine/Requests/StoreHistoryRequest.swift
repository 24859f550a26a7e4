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
