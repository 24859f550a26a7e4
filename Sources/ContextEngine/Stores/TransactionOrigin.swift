/// The context name and author that persistent history records for a transaction.
package struct TransactionOrigin: Hashable, Sendable {
  /// The name of the context that saved.
  package var contextName: String?
  /// The transaction author that the context sets.
  package var author: String?

  package init(contextName: String? = nil, author: String? = nil) {
    self.contextName = contextName
    self.author = author
  }
}
