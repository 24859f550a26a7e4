import Foundation

extension StartingRows {
  /// Reads the rows of a closed store that has the tables of a schema's model.
  ///
  /// Complexity: O(n log n) in the rows.
  /// - Parameters:
  ///   - file: The store's main file.
  ///   - schema: A schema that has a model, with all entities of the model.
  /// - Throws: `VerificationError` if the file cannot be read or is damaged.
  package init(reading file: URL, schema: WorkloadSchema) throws(VerificationError) {
    let store = try SQLiteFile(reading: file)
    var contents = try ClosedStore(of: store, schema: schema)
    let sharedKeys = contents.nameRows(schema)
    let canonical = contents.canonicalTables(schema: schema)
    let tables = zip(contents.tables, canonical).map { rows, table in
      Answer.Table(
        rows: zip(rows, table.rows).map { row, named in
          let targets = named.targets.map { $0.keys + Array(repeating: .missing, count: $0.danglingCount) }
          return Answer.Row(
            key: named.key ?? .missing, values: row.values, links: targets.prefix(row.links.count).map(\.first),
            lists: Array(targets.dropFirst(row.links.count)), edited: row.note)
        })
    }
    var boundRows = schema.entities.map { _ in Set<RecordKey>() }
    let keys = contents.tables.map { rows in
      Dictionary(rows.map { ($0.number, $0.key ?? .missing) }) { first, _ in first }
    }
    for relationship in try UnsetRelationships(schema, in: store).relationships {
      for pair in relationship.pairs {
        for row in [pair.source, pair.target].compactMap(\.self) {
          if let key = keys[row.entity][row.number] { boundRows[row.entity].insert(key) }
        }
      }
    }
    self.init(answer: Answer(tables: tables), sharedKeys: sharedKeys, boundRows: boundRows)
  }
}
