/// A request for a store's history in the form that the store takes.
package struct StoreHistoryRequest: Sendable {
  package enum Bound: Hashable, Sendable {
    case none
    case token(PersistentHistoryToken)
    /// A time in seconds since 2001-01-01 00:00 UTC.
    case timestamp(Double)
  }

  /// The bound of the transactions: a fetch returns those after it, a deletion removes those before it.
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
