/// A place in the persistent history of one or more stores: everything up to it is known.
///
/// May be kept in a file and used by another process. Tokens of one store order by what they cover.
public struct PersistentHistoryToken: Hashable, Sendable, Codable {
  /// The last transaction that is known of each store, by the store's UUID.
  package var transactionNumbers: [String: Int64]

  package init(_ transactionNumbers: [String: Int64]) {
    self.transactionNumbers = transactionNumbers
  }

  /// Returns a token that covers the stores of both tokens.
  func merged(with other: PersistentHistoryToken) -> PersistentHistoryToken {
    PersistentHistoryToken(transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
  }

  /// Whether this token covers more of every store that both know.
  public func isLater(than other: PersistentHistoryToken) -> Bool {
    let common = transactionNumbers.keys.filter { other.transactionNumbers[$0] != nil }
    return !common.isEmpty && common.allSatisfy { (transactionNumbers[$0] ?? 0) > (other.transactionNumbers[$0] ?? 0) }
  }
}
