/// A request that fetches a store's history after some point, or deletes the history before one.
///
/// A program with one store remembers the token of the last transaction that it has merged, and merges those after it:
///
/// ```swift
/// var token: PersistentHistoryToken?
/// for transaction in try coordinator.execute(.fetchHistory(after: token)).transactions {
///   let changes = transaction.objectIDNotification()
///   try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
///   token = transaction.token
/// }
/// ```
public struct PersistentHistoryChangeRequest: Sendable {
  /// The kind of result. A deletion returns a count for `count` and a status otherwise.
  public enum ResultType: String, Hashable, Sendable, Codable, CaseIterable {
    /// The fact that the request succeeded.
    case statusOnly
    /// The IDs of the changed objects, each once, in the order of their first change.
    case objectIDs
    /// The number of transactions.
    case count
    /// The transactions without their changes.
    case transactionsOnly
    /// The changes without their transactions.
    case changesOnly
    /// The transactions with their changes. This is the default for fetches.
    case transactionsAndChanges
  }

  /// The kind of result that the request returns.
  public var resultType: ResultType
  /// The condition on the transactions, or nil for all. Deletions ignore it.
  public var filter: PersistentHistoryFilter?
  /// The condition on the changes, or nil for all. Transactions without a matching change are left out. Deletions
  /// ignore it.
  public var changeFilter: PersistentHistoryChangeFilter?
  let bound: StoreHistoryRequest.Bound
  let isDeletion: Bool

  private init(_ bound: StoreHistoryRequest.Bound, isDeletion: Bool) {
    self.bound = bound
    self.isDeletion = isDeletion
    resultType = isDeletion ? .statusOnly : .transactionsAndChanges
  }

  /// Returns a request for all transactions after a token, or for all that still exist if the token is nil.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    .init(token.map(StoreHistoryRequest.Bound.token) ?? .none, isDeletion: false)
  }

  /// Returns a request for all transactions written after a time, in seconds since 2001-01-01 00:00 UTC.
  public static func fetchHistory(afterTimestamp timestamp: Double) -> PersistentHistoryChangeRequest {
    .init(.timestamp(timestamp), isDeletion: false)
  }

  /// Returns a request for all transactions after another one.
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> PersistentHistoryChangeRequest {
    .init(.token(transaction.token), isDeletion: false)
  }

  /// Returns a request that deletes the transactions before the last one that a token covers, or all if the token is
  /// nil.
  public static func deleteHistory(before token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    .init(token.map(StoreHistoryRequest.Bound.token) ?? .none, isDeletion: true)
  }

  /// Returns a request that deletes the transactions written before a time, in seconds since 2001-01-01 00:00 UTC.
  public static func deleteHistory(beforeTimestamp timestamp: Double) -> PersistentHistoryChangeRequest {
    .init(.timestamp(timestamp), isDeletion: true)
  }

  /// Returns a request that deletes the transactions before another one.
  public static func deleteHistory(
    before transaction: PersistentHistoryTransaction
  ) -> PersistentHistoryChangeRequest {
    .init(.token(transaction.token), isDeletion: true)
  }
}

/// A condition on transactions, like the predicate of a fetch request for them.
public indirect enum PersistentHistoryFilter: Hashable, Sendable {
  /// Matches transactions whose field has the given text, or has none if the text is nil.
  case equal(Field, String?)
  /// Matches transactions that match all of the conditions.
  case and([PersistentHistoryFilter])
  /// Matches transactions that match at least one of the conditions.
  case or([PersistentHistoryFilter])
  /// Matches transactions that do not match the condition.
  case not(PersistentHistoryFilter)

  /// A property of a transaction that a filter compares with a text.
  public enum Field: Hashable, Sendable, CaseIterable {
    /// The author that the context set.
    case author
    /// The name of the context.
    case contextName
    /// The bundle identifier of the program.
    case bundleID
    /// The name or the number of the process.
    case processID
  }
}

/// A condition on changes, like the predicate of a fetch request for them.
public indirect enum PersistentHistoryChangeFilter: Hashable, Sendable {
  /// Matches changes of one kind.
  case changeType(PersistentHistoryChange.ChangeType)
  /// Matches changes of objects of the entity with this name, without those of entities that inherit from it.
  case entity(String)
  /// Matches changes of one object.
  case object(ObjectID)
  /// Matches changes that match all of the conditions.
  case and([PersistentHistoryChangeFilter])
  /// Matches changes that match at least one of the conditions.
  case or([PersistentHistoryChangeFilter])
  /// Matches changes that do not match the condition.
  case not(PersistentHistoryChangeFilter)

  /// Returns the condition with object IDs as the store with the given number uses them. Conditions on objects of other
  /// stores match no change.
  func inStore(_ number: Int) -> PersistentHistoryChangeFilter {
    switch self {
    case .changeType, .entity: self
    case .object(let objectID): objectID.store == number ? .object(objectID.local) : .or([])
    case .and(let parts): .and(parts.map { $0.inStore(number) })
    case .or(let parts): .or(parts.map { $0.inStore(number) })
    case .not(let part): .not(part.inStore(number))
    }
  }
}

/// The result of a history request.
public enum PersistentHistoryResult: Hashable, Sendable {
  /// The fact that the request succeeded, which is always true.
  case status(Bool)
  /// The number of transactions that were found or deleted.
  case count(Int)
  /// The IDs of the changed objects, each once, in the order of their first change.
  case objectIDs([ObjectID])
  /// The transactions, with or without their changes.
  case transactions([PersistentHistoryTransaction])
  /// The changes without their transactions.
  case changes([PersistentHistoryChange])

  /// The transactions, or an empty array if the request asked for another kind of result.
  public var transactions: [PersistentHistoryTransaction] {
    if case .transactions(let transactions) = self { transactions } else { [] }
  }
}
