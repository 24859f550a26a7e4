/// A position in the persistent history of one or more stores. It covers all transactions up to that position.
///
/// A token may be stored in a file and used by another process. Tokens of one store are ordered by their last
/// transactions.
public struct PersistentHistoryToken: Hashable, Sendable, Codable {
  /// The number of the last transaction that the token covers, by the UUID of the store.
  package var transactionNumbers: [String: Int64]

  package init(_ transactionNumbers: [String: Int64]) {
    self.transactionNumbers = transactionNumbers
  }

  /// Returns a token that covers the stores of both tokens, and in a common store the later transaction.
  func merged(with other: PersistentHistoryToken) -> PersistentHistoryToken {
    PersistentHistoryToken(transactionNumbers.merging(other.transactionNumbers) { max($0, $1) })
  }

  /// Returns true if this token covers more transactions of every store that is in both tokens, and there is such a
  /// store.
  public func isLater(than other: PersistentHistoryToken) -> Bool {
    let common = transactionNumbers.keys.filter { other.transactionNumbers[$0] != nil }
    return !common.isEmpty && common.allSatisfy { (transactionNumbers[$0] ?? 0) > (other.transactionNumbers[$0] ?? 0) }
  }
}
