import ContextEngine
import MachineCore

extension SQLiteStore {
  /// Reserves keys by raising `Z_MAX` of each entity in one transaction. An entity may be named more than once.
  ///
  /// - Returns: the first reserved key of each request.
  package func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64] {
    if requests.isEmpty { return [] }
    let reservations = requests.map { (table: table(of: $0.entity), count: Int64($0.count)) }
    return try pool.withWriter { connection throws(PersistenceError) in
      try connection.inTransaction { () throws(PersistenceError) in
        var firstKeys: [Int64] = []
        for reservation in reservations {
          let lastKey = try connection.lastKey(of: reservation.table)
          try connection.raiseLastKey(of: reservation.table, from: lastKey, by: reservation.count)
          firstKeys.append(lastKey + 1)
        }
        return firstKeys
      }.result
    }
  }

  /// Writes insertions, updates and deletions in this order, each in the order given, then pairs and orders of
  /// relationships. If the changes are written in stages, unique values are released first: the columns of updated rows
  /// are set to NULL, and deletions precede insertions.
  ///
  /// Continues after a conflict and after a row that is not unique, so that the outcome names all conflicts, and then
  /// rolls back. Rows that are rolled back count as work too.
  package func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome {
    try pool.withWriter { connection throws(PersistenceError) in
      let external = makeExternalChanges()
      try connection.beginTransaction()
      var conflicts: [ObjectID] = []
      var isUnique = true
      do throws(PersistenceError) {
        var tombstones: [ObjectID: [Value]] = [:]
        if changes.writesInStages {
          try vacate(changes.updates, on: connection)
          tombstones = try self.tombstones(of: changes.deletions.map(\.objectID), connection)
          try delete(changes.deletions, external: external, on: connection, conflicts: &conflicts)
        }
        try insert(changes.insertions, external: external, on: connection, isUnique: &isUnique)
        try update(changes.updates, external: external, on: connection, conflicts: &conflicts, isUnique: &isUnique)
        if !changes.writesInStages {
          tombstones = try self.tombstones(of: changes.deletions.map(\.objectID), connection)
          try delete(changes.deletions, external: external, on: connection, conflicts: &conflicts)
        }
        if conflicts.isEmpty, isUnique {
          try write(changes.relationships, on: connection)
          let token = try writeHistory(of: changes, tombstones: tombstones, on: connection)
          try external?.prepareToCommit()
          if try beforeCommit() {
            let instant = try commit(external, on: connection) { () throws(PersistenceError) in
              try isStored(changes, on: connection)
            }
            return .committed(at: instant, token: token)
          }
        }
      } catch {
        connection.rollback()
        external?.rolledBack()
        throw error
      }
      connection.rollback()
      external?.rolledBack()
      if conflicts.isEmpty, !isUnique { return .notUnique }
      return .conflicting(try persistedRows(of: conflicts.sorted(), connection))
    }
  }

  /// Commits a transaction, and returns the time at which COMMIT returned.
  ///
  /// COMMIT may fail although the changes are in the file, for example if SQLite has truncated the journal and cannot
  /// sync it. Changes that are made again then would be there twice, so the file decides whether the commit has failed.
  ///
  /// - Parameters:
  ///   - external: The changes to external files, or nil.
  ///   - connection: The connection of the transaction.
  ///   - isStored: Reads whether the file has the changes after COMMIT has failed. It returns nil if no row shows it.
  /// - Returns: The time.
  /// - Throws: The error of COMMIT, unless the file has the changes. The transaction is rolled back.
  func commit(
    _ external: ExternalChanges?, on connection: SQLiteConnection,
    isStored: () throws(PersistenceError) -> Bool?
  ) throws(PersistenceError) -> Instant {
    do throws(PersistenceError) {
      let instant = try connection.commit()
      external?.committed()
      return instant
    } catch {
      connection.rollback()
      var isStoredInFile: Bool?
      do { isStoredInFile = try isStored() } catch {}
      guard isStoredInFile == true else {
        if isStoredInFile == nil { external?.leaveFiles() }
        throw error
      }
      external?.committed()
      return machine.now
    }
  }

  /// Returns true if the file has the first of the changes, and thereby all of them. Returns nil for relationships
  /// alone, which may be written again.
  private func isStored(_ changes: StoreChanges, on connection: SQLiteConnection) throws(PersistenceError) -> Bool? {
    if let insertion = changes.insertions.first { return try version(of: insertion.objectID, connection) != nil }
    if let update = changes.updates.first { return try version(of: update.objectID, connection) == update.row.version }
    if let deletion = changes.deletions.first { return try version(of: deletion.objectID, connection) == nil }
    return nil
  }

  /// Returns the version of a row, or nil if the file does not have the row.
  func version(of objectID: ObjectID, _ connection: SQLiteConnection) throws(PersistenceError) -> Int64? {
    try persistedRows(of: [objectID], connection).first?.persisted?.version
  }

  private func insert(
    _ insertions: [StoreChanges.Insertion], external: ExternalChanges?, on connection: SQLiteConnection,
    isUnique: inout Bool
  ) throws(PersistenceError) {
    var broken = false
    try forEachRun(of: insertions, by: { $0.objectID.entity }) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex].objectID)
      let statement = try connection.insertion(into: table)
      defer { statement.finish() }
      // The statement keeps this value from row to row.
      try statement.bind(table.number, at: 2)
      for position in run.indices {
        try statement.bind(permanentKey(of: run[position].objectID), at: 1)
        let row = run[position].row
        try statement.bind(row.version, at: 3)
        if table.isPlain {
          try statement.bind(row, from: 4)
        } else {
          let key = run[position].objectID.key
          _ = try bind(row, of: table, slots: .all, to: statement, from: 4, external: external, key: key)
        }
        guard try statement.runIfUnique() else {
          broken = true
          return
        }
        try external?.rowWasWritten()
        connection.countWrittenRow(by: statement, indexEntries: table.indexEntryCount)
      }
    }
    if broken { isUnique = false }
  }

  private func update(
    _ updates: [StoreChanges.Update], external: ExternalChanges?, on connection: SQLiteConnection,
    conflicts: inout [ObjectID], isUnique: inout Bool
  ) throws(PersistenceError) {
    var conflicting: [ObjectID] = []
    var broken = false
    let shape = { (update: StoreChanges.Update) in UpdateShape(entity: update.objectID.entity, slots: update.slots) }
    try forEachRun(of: updates, by: shape) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex].objectID)
      let slots = run[run.startIndex].slots
      let indexEntries = table.indexEntryCount(slots: slots)
      let statement = try connection.update(of: table, slots: slots)
      defer { statement.finish() }
      let references =
        table.externalSlots.isDisjoint(with: slots)
        ? [:] : try externalReferences(of: run.map(\.objectID.key), in: table, slots: slots, connection)
      var bound: (version: Int64, baseVersion: Int64)?
      for position in run.indices {
        let row = run[position].row
        let (version, baseVersion) = (row.version, run[position].baseVersion)
        let parameter = try bind(
          row, of: table, slots: slots, to: statement, from: 1, external: external, key: run[position].objectID.key,
          insteadOf: references)
        try statement.bind(version, at: parameter, insteadOf: bound?.version)
        try statement.bind(permanentKey(of: run[position].objectID), at: parameter + 1)
        try statement.bind(baseVersion, at: parameter + 2, insteadOf: bound?.baseVersion)
        bound = (version, baseVersion)
        guard try statement.runIfUnique() else {
          broken = true
          continue
        }
        if connection.countWrittenRow(by: statement, indexEntries: indexEntries) {
          try external?.rowWasWritten()
        } else {
          external?.rowWasLeftOut()
          conflicting.append(run[position].objectID)
        }
      }
    }
    conflicts += conflicting
    if broken { isUnique = false }
  }

  private func delete(
    _ deletions: [StoreChanges.Deletion], external: ExternalChanges?, on connection: SQLiteConnection,
    conflicts: inout [ObjectID]
  ) throws(PersistenceError) {
    var conflicting: [ObjectID] = []
    if external != nil { try dropExternalData(of: deletions.map(\.objectID), external: external, on: connection) }
    try forEachRun(of: deletions, by: { $0.objectID.entity }) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex].objectID)
      let statement = try connection.deletion(from: table)
      defer { statement.finish() }
      for deletion in run {
        try statement.bind(permanentKey(of: deletion.objectID), at: 1)
        try statement.bind(deletion.baseVersion, at: 2)
        try statement.run()
        if !connection.countWrittenRow(by: statement, indexEntries: table.indexEntryCount) {
          conflicting.append(deletion.objectID)
        }
      }
    }
    conflicts += conflicting
  }

  /// Returns the stored rows of the given objects, in the order of the objects. Runs one SELECT per entity.
  private func persistedRows(
    of objectIDs: [ObjectID], _ connection: SQLiteConnection
  ) throws(PersistenceError) -> [VersionConflict] {
    var found: [ObjectID: Row] = [:]
    try forEachRun(of: objectIDs, by: { $0.entity }) { run throws(PersistenceError) in
      let table = table(of: run[run.startIndex])
      let query = SQLiteQuery(table.selection(slots: .all, includesSubentities: false), keys: run.map(\.key))
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      for read in try ownReader(of: table).rows(of: statement, events: connection.events) {
        found[read.objectID] = read.row
      }
    }
    return objectIDs.map { objectID in
      let known = ObjectID(entity: objectID.entityIndex, key: objectID.key)
      return VersionConflict(objectID: objectID, persisted: found[known])
    }
  }

  func permanentKey(of objectID: ObjectID) -> Int64 {
    guard !objectID.isTemporaryID else { trapMisuse("a save was given the temporary ID \(objectID)") }
    return objectID.key
  }

  /// Calls `body` with each longest run of consecutive elements with the same group.
  ///
  /// The elements are not copied, so that access by index does not count references.
  @inline(__always)
  func forEachRun<Element, Group: Equatable>(
    of elements: [Element], by group: (Element) -> Group,
    _ body: (Slice<UnsafeBufferPointer<Element>>) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    try elements.withUnsafeBufferPointer { elements throws(PersistenceError) in
      var start = 0
      while start < elements.count {
        let wanted = group(elements[start])
        var end = start + 1
        while end < elements.count, group(elements[end]) == wanted { end += 1 }
        try body(elements[start..<end])
        start = end
      }
    }
  }
}

/// The entity and the slots that updates have in common if one statement can make them.
private struct UpdateShape: Equatable {
  let entity: Int32
  let slots: SlotSet
}

extension SQLiteConnection {
  /// Counts the row that a statement has written, and the `indexEntries` that were written with it. Returns false if
  /// the statement did not write a row.
  @discardableResult
  func countWrittenRow(by statement: SQLiteStatement, indexEntries: Int = 0) -> Bool {
    let bytes = statement.takeBoundBytes()
    guard changeCount > 0 else { return false }
    events.rowsWritten += 1
    events.indexEntriesWritten += indexEntries
    events.bytesWritten += bytes
    return true
  }

  /// Returns the last key that was assigned to an entity.
  func lastKey(of table: EntityTable) throws(PersistenceError) -> Int64 {
    let statement = try statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    defer { statement.finish() }
    try statement.bind(table.rootNumber, at: 1)
    guard try statement.step(), statement.column(0).storageClass == ColumnValue.StorageClass.integer else {
      throw PersistenceError(
        .storeIncompatible, "Z_PRIMARYKEY has no last key for entity \(table.entity.name)", sql: statement.sql,
        path: path)
    }
    return statement.column(0).integer
  }

  func raiseLastKey(
    of table: EntityTable, from lastKey: Int64, by count: Int64
  ) throws(PersistenceError) {
    let statement = try statement("UPDATE OR FAIL Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX = ?")
    defer { statement.finish() }
    try statement.bind(lastKey + count, at: 1)
    try statement.bind(table.rootNumber, at: 2)
    try statement.bind(lastKey, at: 3)
    try statement.run()
    // The transaction has excluded other writers since before the key was read.
    guard changeCount == 1 else {
      throw PersistenceError(
        .sqlite, "the last key of entity \(table.entity.name) changed while it was locked", sql: statement.sql,
        path: path)
    }
  }
}
