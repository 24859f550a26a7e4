/// libsqlite3 by its C API: prepared statements, no mutex, binds without copying, versions checked.
package struct RawContender: Contender {
  package let subject = Subject.raw

  package init() {}

  package func perform(_ assignment: Assignment) async throws -> Sample {
    let run = RawRun(database: try RawDatabase(path: assignment.path), assignment: assignment)
    return try run.sample()
  }
}

/// One case on one connection.
struct RawRun: CaseRun {
  let subject = Subject.raw
  let database: RawDatabase
  let assignment: Assignment
  let stopwatch: Stopwatch
  let table: RawTable

  init(database: RawDatabase, assignment: Assignment) {
    self.database = database
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
    table = assignment.benchmark.startingStore == .half ? .keyed : .plain
  }
}

// MARK: - Writing

extension RawRun {
  func insert() throws -> Sample {
    let writer = try RawWriter(database, table)
    return try timed(inUnitsOf: assignment.items.items) { unit in
      try database.inTransaction { () throws(PeerError) in
        var key = try writer.reserveKeys(unit.count)
        for item in unit {
          try writer.insert(item, key: key)
          key += 1
        }
      }
    }
  }

  /// Inserts the rows once, because an import through three contexts ends in one save to the store.
  func threeLevels() throws -> Sample { try insert() }

  /// Updates rows that have been read beforehand.
  func update() throws -> Sample {
    let rows = try database.rows(of: table)
    let update = try database.prepare(table.update)
    return try timed(inUnitsOf: rows) { unit in
      try database.inTransaction { () throws(PeerError) in
        for row in unit { try raiseRating(of: row, update) }
      }
    }
  }

  @inline(__always)
  func raiseRating(of row: RawRow, _ update: RawStatement) throws(PeerError) {
    update.bind(row.item.rating + 1, at: 1)
    update.bind(row.version + 1, at: 2)
    update.bind(row.key, at: 3)
    update.bind(row.version, at: 4)
    try update.run()
    guard database.changeCount == 1 else { throw conflict(row) }
  }

  func delete() throws -> Sample {
    let rows = try database.rows(of: table)
    let deletion = try database.prepare(table.deletion)
    return try timed(inUnitsOf: rows) { unit in
      try database.inTransaction { () throws(PeerError) in
        for row in unit {
          deletion.bind(row.key, at: 1)
          deletion.bind(row.version, at: 2)
          try deletion.run()
          guard database.changeCount == 1 else { throw conflict(row) }
        }
      }
    }
  }

  /// Finds or creates rows in the usual form: a SELECT with many parameters, a dictionary of the rows that it finds,
  /// and an INSERT for the rest.
  func findOrCreate() throws -> Sample {
    let writer = try RawWriter(database, table)
    let selection = try database.prepare(table.selection(ofCodes: assignment.lookupSize))
    return try timed(inUnitsOf: assignment.items.items) { unit in
      try database.inTransaction { () throws(PeerError) in
        for batch in unit.units(of: assignment.lookupSize) {
          let lookup =
            batch.count == assignment.lookupSize
            ? selection : try database.prepare(table.selection(ofCodes: batch.count))
          let found = try rows(of: lookup, withCodesOf: batch)
          let missing = batch.filter { found[$0.code] == nil }
          guard !missing.isEmpty else { continue }
          var key = try writer.reserveKeys(missing.count)
          for item in missing {
            try writer.insert(item, key: key)
            key += 1
          }
        }
      }
    }
  }

  private func rows(
    of lookup: RawStatement, withCodesOf batch: ArraySlice<Item>
  ) throws(PeerError) -> [String: RawRow] {
    for (offset, item) in batch.enumerated() { lookup.bind(copying: item.code, at: Int32(offset + 1)) }
    var found: [String: RawRow] = [:]
    while try lookup.step() {
      let row = RawRow(lookup)
      found[row.item.code] = row
    }
    lookup.reset()
    return found
  }

  func conflict(_ row: RawRow) -> PeerError {
    PeerError(.disagreement, "row \(row.key) of \(table.name) does not have version \(row.version) any more")
  }
}

// MARK: - Reading

extension RawRun {
  /// Reads all rows as structs, and then every attribute.
  func fetch() throws -> Sample {
    let selection = try database.prepare(table.selection)
    return try weighed {
      stopwatch.start()
      var rows: [RawRow] = []
      while try selection.step() { rows.append(RawRow(selection)) }
      selection.reset()
      stopwatch.lap("select into structs")
      var checksum = 0
      for row in rows { checksum &+= row.item.checksum }
      stopwatch.lap("read five attributes")
      stopwatch.stop()
      return (rows, checksum)
    }
  }

  /// Reads one row with each SELECT, in separate read transactions.
  func fault() throws -> Sample {
    let keys = try database.rows(of: table).map(\.key)
    let selection = try database.prepare(table.selectionByKey)
    return try weighed {
      var rows: [RawRow] = []
      rows.reserveCapacity(keys.count)
      var checksum = 0
      stopwatch.start()
      for key in keys {
        selection.bind(key, at: 1)
        guard try selection.step() else { throw PeerError(.disagreement, "\(table.name) has no row \(key) any more") }
        let row = RawRow(selection)
        selection.reset()
        checksum &+= row.item.checksum
        rows.append(row)
      }
      stopwatch.stop()
      return (rows, checksum)
    }
  }
}

/// Inserts rows under keys that it takes from the store's counter.
struct RawWriter {
  private let table: RawTable
  private let insertion: RawStatement
  private let lastKeySelection: RawStatement
  private let lastKeyUpdate: RawStatement

  init(_ database: RawDatabase, _ table: RawTable) throws(PeerError) {
    self.table = table
    insertion = try database.prepare(table.insertion)
    lastKeySelection = try database.prepare(RawTable.lastKeySelection)
    lastKeyUpdate = try database.prepare(RawTable.lastKeyUpdate)
  }

  /// Raises the counter and returns the first of the keys. This is part of the caller's transaction.
  func reserveKeys(_ count: Int) throws(PeerError) -> Int64 {
    lastKeySelection.bind(table.number, at: 1)
    guard try lastKeySelection.step() else { throw PeerError(.failed, "the store counts no keys of \(table.name)") }
    let lastKey = lastKeySelection.integer(0)
    lastKeySelection.reset()
    lastKeyUpdate.bind(lastKey + Int64(count), at: 1)
    lastKeyUpdate.bind(table.number, at: 2)
    try lastKeyUpdate.run()
    return lastKey + 1
  }

  @inline(__always)
  func insert(_ item: Item, key: Int64) throws(PeerError) {
    insertion.bind(key, at: 1)
    insertion.bind(table.number, at: 2)
    insertion.bind(1 as Int64, at: 3)
    insertion.bind(item.rating, at: 6)
    insertion.bind(item.price, at: 7)
    insertion.bind(item.updatedAt, at: 8)
    // The statement runs in the closure, since a short string has no address that is valid after it.
    let outcome = item.code.utf8.withContiguousStorageIfAvailable { code in
      item.name.utf8.withContiguousStorageIfAvailable { name in
        insertion.bind(inPlace: code, at: 4)
        insertion.bind(inPlace: name, at: 5)
        return Result { () throws(PeerError) in try insertion.run() }
      }
    }
    guard let outcome, let outcome else { throw PeerError(.failed, "an item's strings are not in one piece") }
    try outcome.get()
  }
}
