import ContextEngine

// Each of these requests is one SELECT. It has its own read transaction and sees the last commit, unless the store is
// pinned to a generation, whose connection keeps one read transaction for its life.

extension SQLiteStore {
  package func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] {
    let table = table(of: request.entity)
    let slots = table.normalised(request.slots)
    let selection = table.selection(slots: slots, includesSubentities: request.includesSubentities)
    return try reading(table) { () throws(PersistenceError) -> [StoreRow] in
      try rows(
        reader(of: table, slots: slots, includesSubentities: request.includesSubentities),
        query: SQLiteQuery(selection, of: table, for: request, in: self), progress: request.progress)
    }
  }

  package func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    let table = table(of: request.entity)
    return try objectIDs(in: table, SQLiteQuery(table.keySelection, of: table, for: request, in: self))
  }

  package func rows(
    of entity: EntityDescription, keys: [Int64], slots: SlotSet
  ) throws(PersistenceError) -> [StoreRow] {
    if keys.isEmpty { return [] }
    let table = table(of: entity)
    let slots = table.normalised(slots)
    return try reading(table) { () throws(PersistenceError) -> [StoreRow] in
      try rows(
        reader(of: table, slots: slots, includesSubentities: true),
        query: SQLiteQuery(table.selection(slots: slots), keys: keys))
    }
  }

  package func row(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    let table = table(of: objectID)
    if table.readsExternalData {
      return try reading(table) { () throws(PersistenceError) -> Row? in try row(for: objectID, in: table) }
    }
    return try row(for: objectID, in: table)
  }

  private func row(for objectID: ObjectID, in table: EntityTable) throws(PersistenceError) -> Row? {
    try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.selectionByKey(of: table)
      defer { statement.finish() }
      try statement.bind(objectID.key, at: 1)
      guard try statement.step() else { return nil }
      var bytes = 0
      guard let row = try ownReader(of: table).row(of: statement, bytes: &bytes) else { return nil }
      connection.events.rowsStepped += 1
      connection.events.bytesStepped += bytes
      return row
    }
  }

  private func rows(
    _ reader: TableReader, query: SQLiteQuery, progress: FetchProgress? = nil
  ) throws(PersistenceError) -> [StoreRow] {
    try pool.withReader { connection throws(PersistenceError) in
      let statement = try connection.statement(query.sql)
      defer { statement.finish() }
      try query.bind(to: statement)
      let rows = try connection.following(progress) { () throws(PersistenceError) -> [StoreRow] in
        try reader.rows(of: statement, events: connection.events)
      }
      count(rows.count, of: statement, events: connection.events)
      return rows
    }
  }

  /// Runs a request that may read references to files, which remain until the request ends.
  func reading<Result>(
    _ table: EntityTable, body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    guard table.readsExternalData, let external else { return try body() }
    external.enter()
    defer { external.leave() }
    return try body()
  }

  /// Counts the work of a SELECT beyond the rows that it returned: scanned and sorted rows.
  func count(_ returned: Int, of statement: SQLiteStatement, events: SQLiteConnectionEvents) {
    events.rowsScanned += max(0, statement.takeScannedRows() - returned)
    if statement.takeSorts() > 0 { events.rowsSorted += returned }
  }

  func objectIDs(in table: EntityTable, _ query: SQLiteQuery) throws(PersistenceError) -> [ObjectID] {
    try pool.withReader { connection throws(PersistenceError) in try objectIDs(in: table, query: query, on: connection)
    }
  }

  /// Returns the object IDs that a SELECT of keys finds, in its order.
  func objectIDs(
    in table: EntityTable, query: SQLiteQuery, on connection: SQLiteConnection
  ) throws(PersistenceError) -> [ObjectID] {
    let statement = try connection.statement(query.sql)
    defer { statement.finish() }
    try query.bind(to: statement)
    var objectIDs: [ObjectID] = []
    defer {
      connection.events.rowsStepped += objectIDs.count
      connection.events.bytesStepped += 8 * objectIDs.count
    }
    while try statement.step() {
      let key = statement.column(RowReader.keyColumn).integer
      objectIDs.append(ObjectID(entity: try entityIndex(of: statement, in: table), key: key))
    }
    count(objectIDs.count, of: statement, events: connection.events)
    return objectIDs
  }

  /// Returns the entity index of the statement's current row, which begins with `Z_ENT` if entities share the table.
  func entityIndex(of statement: SQLiteStatement, in table: EntityTable) throws(PersistenceError) -> Int {
    guard table.isShared else { return table.index }
    let number = statement.column(0).integer
    guard let index = entityIndexes[number] else {
      throw PersistenceError(
        .storeIncompatible,
        "the row with key \(statement.column(RowReader.keyColumn).integer) of table \(table.name) is of entity number "
          + "\(number), which the model does not have",
        sql: statement.sql, path: configuration.path)
    }
    return index
  }
}
