import ContextEngine
import MachineCore

// Batch requests write rows by SQL, regardless of the rows in contexts and in the row cache.

extension SQLiteStore {
  package func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    try pool.withWriter { connection throws(PersistenceError) in
      switch batch {
      case .insert(let insertion): try insert(insertion, from: origin, on: connection)
      case .update(let update): try self.update(update, from: origin, on: connection)
      case .delete(let deletion): try delete(deletion, from: origin, on: connection)
      }
    }
  }

  /// Runs `body` in a write transaction and commits it. If an error is thrown, rolls back, leaves `outcome` unchanged
  /// and rethrows the error.
  func inTransaction(
    _ connection: SQLiteConnection, outcome: inout StoreBatchOutcome,
    body: (inout StoreBatchOutcome, ExternalChanges?) throws(PersistenceError) -> Void
  ) throws(PersistenceError) {
    let done = outcome
    var current = outcome
    let external = makeExternalChanges()
    do throws(PersistenceError) {
      try connection.beginTransaction()
      try body(&current, external)
      try external?.prepareToCommit()
      current.committedAt = try commit(external, on: connection) { () throws(PersistenceError) in
        // A batch that inserts nothing may run again: it gives the same rows the same values, or deletes none.
        guard let first = current.inserted.first else { return nil }
        return try version(of: first, connection) != nil
      }
    } catch {
      connection.rollback()
      external?.rolledBack()
      outcome = done
      throw error
    }
    outcome = current
  }
}

// MARK: - Inserting

extension SQLiteStore {
  /// The number of rows that are requested, and get their keys, at a time.
  private static let chunkSize = 500

  private func insert(
    _ insertion: StoreBatchInsertion, from origin: TransactionOrigin, on connection: SQLiteConnection
  ) throws(PersistenceError) -> StoreBatchOutcome {
    var source = BatchSource(insertion)
    var outcome = StoreBatchOutcome()
    // The first rows are requested before the transaction begins, so that no transaction begins without rows.
    var chunk = try source.take(limit(insertion, written: 0))
    while !chunk.isEmpty {
      var part = StoreBatchOutcome()
      var slots = SlotSet()
      try inTransaction(connection, outcome: &part) { part, external throws(PersistenceError) in
        var written = 0
        var derived: [ObjectID: SlotSet] = [:]
        while !chunk.isEmpty {
          let (insertedCount, updatedCount) = (part.inserted.count, part.updated.count)
          try insert(chunk, of: insertion, external: external, on: connection, outcome: &part)
          for row in chunk { slots.formUnion(row.slots) }
          var derivation = BatchDerivation(store: self, connection: connection)
          derivation.inserted(Array(part.inserted[insertedCount...]))
          try derivation.updated(Array(part.updated[updatedCount...]), slots: slots)
          derived.merge(try derivation.finish()) { $0.union($1) }
          written += chunk.count
          chunk = try source.take(limit(insertion, written: written))
        }
        try writeHistory(of: part, updating: slots, derived: derived, from: origin, connection)
      }
      outcome.append(part)
      if insertion.batchSize > 0 { chunk = try source.take(limit(insertion, written: 0)) }
    }
    return outcome
  }

  /// Returns the number of rows to request next in a transaction that has written `written` rows.
  private func limit(_ insertion: StoreBatchInsertion, written: Int) -> Int {
    insertion.batchSize == 0 ? Self.chunkSize : min(Self.chunkSize, insertion.batchSize - written)
  }

  private func insert(
    _ chunk: [BatchSource.Row], of insertion: StoreBatchInsertion, external: ExternalChanges?,
    on connection: SQLiteConnection, outcome: inout StoreBatchOutcome
  ) throws(PersistenceError) {
    let table = table(of: insertion.entity)
    let lastKey = try connection.lastKey(of: table)
    try connection.raiseLastKey(of: table, from: lastKey, by: Int64(chunk.count))
    var prepared: (slots: SlotSet, statement: SQLiteStatement)?
    for (offset, row) in chunk.enumerated() {
      let statement: SQLiteStatement
      if let prepared, prepared.slots == row.slots {
        statement = prepared.statement
      } else {
        statement = try connection.statement(table.batchInsertionSQL(insertion.conflictRule, slots: row.slots))
        prepared = (row.slots, statement)
      }
      defer { statement.finish() }
      let key = lastKey + 1 + Int64(offset)
      try statement.bind(key, at: 1)
      try statement.bind(table.number, at: 2)
      try statement.bind(1 as Int64, at: 3)
      try bind(row, key: key, of: table, to: statement, external: external)
      let replaced = external == nil ? [:] : try replacedReferences(by: row, in: insertion, of: table, on: connection)
      // The statement returns one row with the key, or no row if the insertion was ignored.
      guard let written = try connection.writtenRow(by: statement) else {
        external?.rowWasLeftOut()
        continue
      }
      try external?.rowWasWritten()
      if let references = replaced[written.key] { external?.drop(references) }
      if written.key == key {
        outcome.inserted.append(ObjectID(entity: insertion.entity.index, key: key))
      } else {
        // The existing row may belong to another entity that shares the table.
        let entity = entityIndexes[written.number] ?? insertion.entity.index
        outcome.updated.append(ObjectID(entity: entity, key: written.key))
      }
    }
  }
}

/// The rows of a batch insert, which are requested a few at a time.
struct BatchSource {
  private var row: BatchRow
  private let next: (inout BatchRow) throws(PersistenceError) -> Bool
  private var isAtEnd = false

  struct Row {
    var values: [Value]
    var slots: SlotSet
  }

  init(_ insertion: StoreBatchInsertion) {
    row = insertion.row
    next = insertion.next
  }

  /// Returns the next rows, at most `limit`.
  mutating func take(_ limit: Int) throws(PersistenceError) -> [Row] {
    var rows: [Row] = []
    while !isAtEnd, rows.count < limit {
      guard try next(&row) else {
        isAtEnd = true
        break
      }
      rows.append(Row(values: row.values, slots: row.slots))
    }
    return rows
  }
}

// MARK: - Updating

extension SQLiteStore {
  private func update(
    _ update: StoreBatchUpdate, from origin: TransactionOrigin, on connection: SQLiteConnection
  ) throws(PersistenceError) -> StoreBatchOutcome {
    var outcome = StoreBatchOutcome()
    let table = table(of: update.request.entity)
    var parameters: [Value] = []
    let assignments = update.assignments.map { assignment in
      var expression = assignment.expression
      if table.externalSlots.contains(assignment.slot), case .constant(let value) = expression {
        expression = .constant(externalConstant(value))
      }
      let value = Self.sql(for: expression, of: table, &parameters)
      return "\(table.columns[assignment.slot].name) = \(value)"
    }
    let changes = "UPDATE \(table.name) SET \(assignments.joined(separator: ", ")), Z_OPT = (Z_OPT + 1)"
    let slots = SlotSet(update.assignments.map(\.slot))
    let isExternal = !table.externalSlots.isDisjoint(with: slots)
    try inTransaction(connection, outcome: &outcome) { outcome, external throws(PersistenceError) in
      func write(_ keys: SQLiteQuery) throws(PersistenceError) -> Int {
        do throws(PersistenceError) {
          return try self.write(changes, parameters: parameters, keys: keys, on: connection)
        } catch {
          guard error.sqliteCode == ResultCode.notUnique else { throw error }
          throw notUnique(update, objectIDs: try objectIDs(matching: update.request, connection), error: error)
        }
      }
      if !update.listsRows, history == nil, model.derivations.isEmpty, !isExternal {
        outcome.unlistedCount = try write(keys(matching: update.request))
        return
      }
      let matching = try objectIDs(matching: update.request, connection)
      guard !matching.isEmpty else { return }
      let keys = matching.map(\.key)
      var references: [Int64: [Int: String]] = [:]
      if external != nil { references = try externalReferences(of: keys, in: table, slots: slots, connection) }
      _ = try write(SQLiteQuery(list: keys))
      outcome.updated = matching
      if let external, isExternal {
        try writeExternalData(
          of: update, objectIDs: matching, insteadOf: references, external: external, on: connection)
      }
      var derivation = BatchDerivation(store: self, connection: connection)
      try derivation.updated(matching, slots: slots)
      let derived = try derivation.finish()
      try writeHistory(of: outcome, updating: slots, derived: derived, from: origin, connection)
    }
    return outcome
  }

  /// Returns the error for a batch update that violates a uniqueness constraint. Merge policies do not apply to batch
  /// updates, so the request fails as a whole.
  private func notUnique(
    _ update: StoreBatchUpdate, objectIDs: [ObjectID], error: PersistenceError
  ) -> PersistenceError {
    let names = update.assignments.map { update.request.entity.slots[$0.slot].name }.joined(separator: ", ")
    return PersistenceError(
      .managedObjectConstraintValidation,
      "a batch update of \(objectIDs.count) \(update.request.entity.name) sets \(names) so that objects have the same "
        + "values under a uniqueness constraint",
      objectIDs: objectIDs, sql: error.sql, sqliteCode: error.sqliteCode, path: error.path)
  }

  /// Returns the SQL of an expression, and appends its constants to `parameters`.
  private static func sql(
    for expression: UpdateExpression, of table: EntityTable, _ parameters: inout [Value]
  ) -> String {
    switch expression {
    case .constant(let value):
      parameters.append(value)
      return "?"
    case .property(let path): return table.columns[path.slot].name
    case .sum(let left, let right):
      return "(\(sql(for: left, of: table, &parameters)) + \(sql(for: right, of: table, &parameters)))"
    case .difference(let left, let right):
      return "(\(sql(for: left, of: table, &parameters)) - \(sql(for: right, of: table, &parameters)))"
    case .product(let left, let right):
      return "(\(sql(for: left, of: table, &parameters)) * \(sql(for: right, of: table, &parameters)))"
    }
  }

  /// Returns the IDs of the objects that a request selects, in the order of their keys, as seen by the connection that
  /// is about to write.
  func objectIDs(
    matching request: StoreFetchRequest, _ connection: SQLiteConnection
  ) throws(PersistenceError) -> [ObjectID] {
    let table = table(of: request.entity)
    let query = SQLiteQuery(table.keySelection, of: table, for: request, in: self)
    return try objectIDs(in: table, query: query, on: connection).sorted { $0.key < $1.key }
  }
}

// MARK: - Statements of batches

extension SQLiteStore {
  /// Writes all rows whose keys a query in parentheses returns, by one statement, and returns their number. `changes`
  /// is the statement up to its WHERE clause, and `parameters` has the values of the parameters in it.
  func write(
    _ changes: String, parameters: [Value], keys: SQLiteQuery, on connection: SQLiteConnection
  ) throws(PersistenceError) -> Int {
    let statement = try connection.statement("\(changes) WHERE Z_PK IN \(keys.sql)")
    defer { statement.finish() }
    for (offset, value) in parameters.enumerated() { try statement.bind(value, at: Int32(offset + 1)) }
    try keys.bind(to: statement, from: parameters.count + 1)
    return try connection.runCountingRows(statement)
  }

  /// Returns the query, in parentheses, for the keys of the rows that a request selects.
  func keys(matching request: StoreFetchRequest) -> SQLiteQuery {
    let table = table(of: request.entity)
    return SQLiteQuery("SELECT t0.Z_PK FROM \(table.name) t0", of: table, for: request, in: self).inParentheses
  }
}

extension EntityTable {
  /// Returns a statement that inserts a row. If an existing row has the same unique values, the statement ignores the
  /// new row or updates the existing one, depending on the rule. It returns the key and the entity number of the row
  /// that it wrote.
  func batchInsertionSQL(_ rule: StoreBatchInsertion.ConflictRule, slots: SlotSet) -> String {
    let constraints = entity.uniquenessConstraints
    let returning = " RETURNING Z_PK, Z_ENT"
    if constraints.isEmpty { return insertionSQL + returning }
    guard rule == .update else { return "INSERT OR IGNORE" + insertionSQL.dropFirst("INSERT".count) + returning }
    let assignments = columns.indices.filter { slots.contains($0) }.flatMap { columns[$0].names }
      .map { "\($0) = excluded.\($0), " }.joined()
    let clauses = constraints.map { constraint in
      let names = constraint.map { columns[entity.path($0).slot].name }.joined(separator: ", ")
      return " ON CONFLICT(\(names)) DO UPDATE SET \(assignments)Z_OPT = (Z_OPT + 1)"
    }
    return insertionSQL + clauses.joined() + returning
  }
}

extension SQLiteConnection {
  /// Runs a statement that writes at most one row, counts the row, and returns its key and entity number. Returns nil
  /// if the statement wrote no row.
  func writtenRow(by statement: SQLiteStatement) throws(PersistenceError) -> (key: Int64, number: Int64)? {
    guard try statement.step() else { return nil }
    let row = (key: statement.column(0).integer, number: statement.column(1).integer)
    // The row is written for good only when the statement has run to its end.
    while try statement.step() {}
    countWrittenRow(by: statement)
    return row
  }

  /// Runs a statement that may write many rows, counts the rows that it wrote and those that it passed over, and
  /// returns the number of rows that it wrote.
  @discardableResult
  func runCountingRows(_ statement: SQLiteStatement) throws(PersistenceError) -> Int {
    try statement.run()
    let written = Int(changeCount)
    events.batchRowsWritten += written
    events.rowsScanned += max(0, statement.takeScannedRows() - written)
    return written
  }
}
