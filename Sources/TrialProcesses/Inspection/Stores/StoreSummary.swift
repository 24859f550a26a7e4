/// The figures of a store, as JSON has them.
package struct StoreSummary: Codable, Hashable, Sendable {
  /// The answer to the question if the store belongs to a model.
  package struct Model: Codable, Hashable, Sendable {
    /// True if the tables, columns and hashes of the store agree with the model, as far as they can be compared.
    package let belongs: Bool
    /// The sentence that names the first difference, or nil if it does not exist.
    package let difference: String?
    /// The name of another version of the model that the store fits, or nil if it fits none.
    package let fittingVersion: String?
  }

  /// The kind of the inspected file: `store`.
  package let kind: String
  /// The number of bytes of a page of the database.
  package let pageSize: Int
  /// The value of SQLite's setting: 0 for never, 1 for full, 2 for incremental.
  package let autoVacuum: Int
  /// The journal mode that the file itself has.
  package let journalMode: String
  /// The result of SQLite's check of the file.
  package let integrityCheck: String
  /// The numbers of rows, by the names of the tables of entities and many-to-many relationships.
  package let rows: [String: Int]
  /// The entities in the order of their numbers.
  package let entities: [StoreContents.Entity]
  /// The number of transactions of the persistent history, 0 without one.
  package let historyTransactions: Int
  /// The number of changes of the persistent history, 0 without one.
  package let historyChanges: Int
  /// The comparison with a model, or nil if no model was given.
  package let model: Model?

  /// Creates the figures of a store.
  ///
  /// - Parameters:
  ///   - contents: The contents of the store.
  ///   - comparison: The comparison with a model, or nil if no model was given.
  package init(_ contents: StoreContents, comparison: StoreModelComparison? = nil) {
    kind = InspectedKind.store.rawValue
    pageSize = contents.pageSize
    autoVacuum = contents.autoVacuum
    journalMode = contents.journalMode
    integrityCheck = contents.integrityCheck
    rows = Dictionary(contents.tables.map { ($0.name, $0.rowCount) }) { first, _ in first }
    entities = contents.entities
    historyTransactions = contents.historyTransactionCount ?? 0
    historyChanges = contents.historyChangeCount ?? 0
    model = comparison.map {
      Model(belongs: $0.firstDifference == nil, difference: $0.firstDifference, fittingVersion: $0.fittingVersion)
    }
  }
}
