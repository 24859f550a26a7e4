import ContextEngine

extension SQLiteStore {
  /// Sets updated columns that are under uniqueness constraints to NULL in rows that are about to be updated, so that
  /// the rows can exchange their values. A row with an unexpected version is left to the update, which detects the
  /// conflict.
  func vacate(_ updates: [StoreChanges.Update], on connection: SQLiteConnection) throws(PersistenceError) {
    try forEachRun(of: updates, by: { $0.objectID.entity }) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex].objectID)
      let slots = uniqueSlots(of: table.entity)
      for update in run where !update.slots.isDisjoint(with: slots) {
        let statement = try connection.statement(table.vacatingSQL(slots: update.slots.intersection(slots)))
        defer { statement.finish() }
        try statement.bind(permanentKey(of: update.objectID), at: 1)
        try statement.bind(update.baseVersion, at: 2)
        try statement.run()
      }
    }
  }

  /// Returns the slots of an entity that are under any uniqueness constraint.
  private func uniqueSlots(of entity: EntityDescription) -> SlotSet {
    SlotSet(
      model.uniquenessConstraints[entity.root.index].filter { $0.scope.includes(entity.index) }.flatMap(\.slots))
  }
}

extension EntityTable {
  fileprivate func vacatingSQL(slots: SlotSet) -> String {
    let assignments = columns.indices.filter { slots.contains($0) }.map { "\(columns[$0].name) = NULL" }
    return "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ? AND Z_OPT = ?"
  }
}

extension SQLiteStatement {
  /// Runs the statement like `run()`. The bytes bound to a statement that was not executed do not count as written.
  ///
  /// - Returns: false if the statement was not executed, since a row would have the same values as another row under a
  ///   uniqueness constraint.
  @inline(__always)
  func runIfUnique() throws(PersistenceError) -> Bool {
    do throws(PersistenceError) {
      try run()
      return true
    } catch {
      guard error.sqliteCode == ResultCode.notUnique else { throw error }
      _ = takeBoundBytes()
      return false
    }
  }
}
