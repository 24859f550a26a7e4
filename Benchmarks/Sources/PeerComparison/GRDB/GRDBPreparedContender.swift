import GRDB

/// GRDB's prepared statements and row cursors, with the SQL of the raw subject.
package struct GRDBPreparedContender: Contender {
  package let subject = Subject.grdbPrepared

  package init() {}

  package func perform(_ assignment: Assignment) async throws -> Sample {
    let run = PreparedRun(store: try GRDBStore(path: assignment.path), assignment: assignment)
    let sample = try run.sample()
    try run.store.queue.close()
    return sample
  }
}

/// One case on one connection.
struct PreparedRun: CaseRun {
  let subject = Subject.grdbPrepared
  let store: GRDBStore
  let assignment: Assignment
  let stopwatch: Stopwatch
  let table: RawTable

  init(store: GRDBStore, assignment: Assignment) {
    self.store = store
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
    table = assignment.benchmark.startingStore == .half ? .keyed : .plain
  }
}

// MARK: - Writing

extension PreparedRun {
  func insert() throws -> Sample {
    try timed(inUnitsOf: assignment.items.items) { unit in
      try store.queue.write { try insert(unit, $0) }
    }
  }

  private func insert(_ items: some Collection<Item>, _ database: Database) throws {
    var key = try database.reserveKeys(items.count, of: table)
    let insertion = try database.cachedStatement(sql: table.insertion)
    for item in items {
      try insertion.execute(
        arguments: [key, table.number, 1, item.code, item.name, item.rating, item.price, item.updatedAt])
      key += 1
    }
  }

  func update() throws -> Sample {
    let rows = try allRows()
    return try timed(inUnitsOf: rows) { unit in
      try store.queue.write { database in
        let update = try database.cachedStatement(sql: table.update)
        for row in unit { try raiseRating(of: row, update, database) }
      }
    }
  }

  func raiseRating(of row: RawRow, _ update: Statement, _ database: Database) throws {
    try update.execute(arguments: [row.item.rating + 1, row.version + 1, row.key, row.version])
    guard database.changesCount == 1 else { throw conflict(row) }
  }

  func delete() throws -> Sample {
    let rows = try allRows()
    return try timed(inUnitsOf: rows) { unit in
      try store.queue.write { database in
        let deletion = try database.cachedStatement(sql: table.deletion)
        for row in unit {
          try deletion.execute(arguments: [row.key, row.version])
          guard database.changesCount == 1 else { throw conflict(row) }
        }
      }
    }
  }

  func findOrCreate() throws -> Sample {
    try timed(inUnitsOf: assignment.items.items) { unit in
      try store.queue.write { database in
        for batch in unit.units(of: assignment.lookupSize) {
          let lookup = try database.cachedStatement(sql: table.selection(ofCodes: batch.count))
          let cursor = try Row.fetchCursor(lookup, arguments: StatementArguments(batch.map(\.code)))
          var found: [String: RawRow] = [:]
          while let row = try cursor.next() {
            let read = RawRow(row)
            found[read.item.code] = read
          }
          let missing = batch.filter { found[$0.code] == nil }
          if !missing.isEmpty { try insert(missing, database) }
        }
      }
    }
  }

  func conflict(_ row: RawRow) -> PeerError {
    PeerError(.disagreement, "row \(row.key) of \(table.name) does not have version \(row.version) any more")
  }
}

// MARK: - Reading

extension PreparedRun {
  func fetch() throws -> Sample {
    try weighed {
      stopwatch.start()
      let rows = try allRows()
      var checksum = 0
      for row in rows { checksum &+= row.item.checksum }
      stopwatch.stop()
      return (rows, checksum)
    }
  }

  /// Reads one row with each SELECT, outside any transaction. The queue is entered once for all rows.
  func fault() throws -> Sample {
    let keys = try allRows().map(\.key)
    return try weighed {
      try store.queue.inDatabase { database in
        let selection = try database.cachedStatement(sql: table.selectionByKey)
        var rows: [RawRow] = []
        rows.reserveCapacity(keys.count)
        var checksum = 0
        stopwatch.start()
        for key in keys {
          let cursor = try Row.fetchCursor(selection, arguments: [key])
          guard let row = try cursor.next() else {
            throw PeerError(.disagreement, "\(table.name) has no row \(key) any more")
          }
          let read = RawRow(row)
          checksum &+= read.item.checksum
          rows.append(read)
        }
        stopwatch.stop()
        return (rows, checksum)
      }
    }
  }

  func allRows() throws -> [RawRow] { try store.queue.read { try rows(of: table, $0) } }

  func rows(of table: RawTable, _ database: Database) throws -> [RawRow] {
    let cursor = try Row.fetchCursor(try database.cachedStatement(sql: table.selection))
    var rows: [RawRow] = []
    while let row = try cursor.next() { rows.append(RawRow(row)) }
    return rows
  }
}

extension RawRow {
  /// Creates a row from the present row of a cursor, whose columns are those of `RawTable.selection`.
  init(_ row: Row) {
    self.init(
      key: row[1], version: row[2],
      item: Item(code: row[3], name: row[4], rating: row[5], price: row[6], updatedAt: row[7]))
  }
}
