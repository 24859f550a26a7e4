import ContextEngine

// Each of these is one SELECT in a read transaction of its own: it sees the last commit.

extension SQLiteStore {
  package func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let table = table(of: request.entity)
    let slots = table.normalised(request.slots)
    return try rows(of: table, slots: slots, SQLiteQuery(table.selection(slots: slots), of: table, for: request))
  }

  package func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    let table = table(of: request.entity)
    return try objectIDs(in: table, SQLiteQuery(table.keySelection, of: table, for: request))
  }

  package func rows(
    of entity: EntityDescription, keys: [Int64], slots: UInt64
  ) throws(PersistenceError) -> [StoreRow] {
    if keys.isEmpty { return [] }
    let table = table(of: entity)
    let slots = table.normalised(slots)
    return try rows(of: table, slots: slots, SQLiteQuery(table.selection(slots: slots), keys: keys))
  }

  package func row(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    let table = table(of: objectID)
    return try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.selectionByKey(of: table)
      defer { statement.finish() }
      try statement.bind(objectID.key, at: 1)
      guard try statement.step() else { return nil }
      var bytes = 0
      let row = try reader(of: table).row(of: statement, bytes: &bytes)
      connection.events.rowsStepped += 1
      connection.events.bytesStepped += bytes
      return row
    }
  }

  private func rows(
    of table: EntityTable, slots: UInt64, _ query: SQLiteQuery
  ) throws(PersistenceError) -> [StoreRow] {
    let reader = slots == Row.allSlots ? reader(of: table) : RowReader(table, slots: slots)
    return try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      let rows = try reader.rows(of: statement, events: connection.events)
      count(rows.count, of: statement, connection.events)
      return rows
    }
  }

  /// Counts what a SELECT did beyond the rows that it returned.
  func count(_ returned: Int, of statement: SQLiteStatement, _ events: SQLiteConnectionEvents) {
    events.rowsScanned += max(0, statement.takeScannedRows() - returned)
    if statement.takeSorts() > 0 { events.rowsSorted += returned }
  }

  func objectIDs(in table: EntityTable, _ query: SQLiteQuery) throws(PersistenceError) -> [ObjectID] {
    try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      var objectIDs: [ObjectID] = []
      defer {
        connection.events.rowsStepped += objectIDs.count
        connection.events.bytesStepped += 8 * objectIDs.count
      }
      while try statement.step() {
        objectIDs.append(ObjectID(entity: table.index, key: statement.column(RowReader.keyColumn).integer))
      }
      count(objectIDs.count, of: statement, connection.events)
      return objectIDs
    }
  }
}
