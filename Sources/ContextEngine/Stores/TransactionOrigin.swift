/// Who writes: what persistent history says of a transaction.
package struct TransactionOrigin: Hashable, Sendable {
  /// The name of the context that saved.
  package var contextName: String?
  /// What the context says of itself.
  package var author: String?

  package init(contextName: String? = nil, author: String? = nil) {
    self.contextName = contextName
    self.author = author
  }
}
