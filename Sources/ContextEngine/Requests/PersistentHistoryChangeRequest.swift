/// Asks a store for its history after some point, or deletes it up to one.
public struct PersistentHistoryChangeRequest: Sendable {
  /// What is asked for; of a deletion `statusOnly` and `count` only.
  public enum ResultType: String, Hashable, Sendable, Codable, CaseIterable {
    case statusOnly
    /// The IDs of the changed objects, each once, in the order of their first change.
    case objectIDs
    /// How many transactions there are.
    case count
    case transactionsOnly
    case changesOnly
    /// Transactions with their changes; the default.
    case transactionsAndChanges
  }

  public var resultType: ResultType
  /// Which transactions count; nil = all. Not for deletions.
  public var filter: PersistentHistoryFilter?
  /// Which of their changes count, and with them the transactions that have any such; nil = all. Not for deletions.
  public var changeFilter: PersistentHistoryChangeFilter?
  let bound: StoreHistoryRequest.Bound
  let isDeletion: Bool

  private init(_ bound: StoreHistoryRequest.Bound, isDeletion: Bool) {
    self.bound = bound
    self.isDeletion = isDeletion
    resultType = isDeletion ? .statusOnly : .transactionsAndChanges
  }

  /// All transactions after a token; nil = from the beginning of what is left.
  public static func fetchHistory(after token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    .init(token.map(StoreHistoryRequest.Bound.token) ?? .none, isDeletion: false)
  }

  /// All transactions written after an instant, in seconds since 2001-01-01 00:00 UTC.
  public static func fetchHistory(afterTimestamp timestamp: Double) -> PersistentHistoryChangeRequest {
    .init(.timestamp(timestamp), isDeletion: false)
  }

  /// All transactions after another one.
  public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> PersistentHistoryChangeRequest {
    .init(.token(transaction.token), isDeletion: false)
  }

  /// Deletes the transactions before a token, the token's own left; nil = all.
  public static func deleteHistory(before token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
    .init(token.map(StoreHistoryRequest.Bound.token) ?? .none, isDeletion: true)
  }

  /// Deletes the transactions written before an instant.
  public static func deleteHistory(beforeTimestamp timestamp: Double) -> PersistentHistoryChangeRequest {
    .init(.timestamp(timestamp), isDeletion: true)
  }

  /// Deletes the transactions before another one.
  public static func deleteHistory(
    before transaction: PersistentHistoryTransaction
  ) -> PersistentHistoryChangeRequest {
    .init(.token(transaction.token), isDeletion: true)
  }
}

/// A condition on transactions, as a fetch request for them would have.
public indirect enum PersistentHistoryFilter: Hashable, Sendable {
  case equal(Field, String?)
  case and([PersistentHistoryFilter])
  case or([PersistentHistoryFilter])
  case not(PersistentHistoryFilter)

  public enum Field: Hashable, Sendable, CaseIterable {
    case author
    case contextName
    case bundleID
    case processID
  }
}

/// A condition on changes, as a fetch request for them would have.
public indirect enum PersistentHistoryChangeFilter: Hashable, Sendable {
  case changeType(PersistentHistoryChange.ChangeType)
  /// Of objects of the entity of this name, those left out that inherit from it.
  case entity(String)
  /// Of one object.
  case object(ObjectID)
  case and([PersistentHistoryChangeFilter])
  case or([PersistentHistoryChangeFilter])
  case not(PersistentHistoryChangeFilter)

  /// The condition as a store of that number knows its objects.
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

/// What a history request came to.
public enum PersistentHistoryResult: Hashable, Sendable {
  case status(Bool)
  case count(Int)
  case objectIDs([ObjectID])
  case transactions([PersistentHistoryTransaction])
  case changes([PersistentHistoryChange])

  /// The transactions; none where something else was asked for.
  public var transactions: [PersistentHistoryTransaction] {
    if case .transactions(let transactions) = self { transactions } else { [] }
  }
}
