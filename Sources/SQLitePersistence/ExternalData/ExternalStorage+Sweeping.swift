import ContextEngine

// MARK: - Sweeping

extension ExternalStorage {
  /// Removes files that no row refers to. They were left by processes that were killed between writing a file and the
  /// commit, or between a commit and the removal of the files that it replaced.
  ///
  /// Another process may be about to commit a file, so unreferenced files are checked again inside a write transaction.
  /// If that transaction cannot begin, the files remain until the store is opened again. O(rows of entities with such
  /// attributes) if there are any files.
  func sweep(_ tables: [EntityTable], on connection: SQLiteConnection) {
    let names = names()
    guard !names.isEmpty else { return }
    do throws(PersistenceError) {
      let used = try Self.externalNames(in: tables, connection)
      let left = names.filter { !used.contains($0) }
      if left.isEmpty { return }
      _ = try connection.inTransaction { () throws(PersistenceError) in
        let used = try Self.externalNames(in: tables, connection)
        takeBack(left.filter { !used.contains($0) })
      }
    } catch {
      // The store can be read even if its files cannot be swept now.
    }
  }

  private static func externalNames(
    in tables: [EntityTable], _ connection: SQLiteConnection
  ) throws(PersistenceError) -> Set<String> {
    var names: Set<String> = []
    var seen: Set<String> = []
    for table in tables {
      for column in table.columns where column.isExternal && seen.insert("\(table.name).\(column.name)").inserted {
        let reference = ExternalReference.sql(of: column.name)
        try connection.executeOnce(
          "SELECT \(reference) FROM \(table.name)",
          row: { statement in if let name = statement.column(0).externalName { names.insert(name) } })
      }
    }
    return names
  }
}
