import GRDB

// MARK: - Cases with a list that a user sees

extension PreparedRun {
  /// Reads the keys in the order of names, and then 50 rows at a time, which are dropped with the page.
  func scroll() throws -> Sample {
    try weighed {
      stopwatch.start()
      let keys = try store.queue.read { database in
        try Int64.fetchAll(try database.cachedStatement(sql: table.keysByName))
      }
      var checksum = 0
      for page in keys.units(of: Assignment.pageSize) {
        let rows = try store.queue.read { database in
          let selection = try database.cachedStatement(sql: table.namesAndRatings(ofKeys: page.count))
          let cursor = try Row.fetchCursor(selection, arguments: StatementArguments(page))
          var rows: [Int64: (name: String, rating: Int64)] = [:]
          while let row = try cursor.next() { rows[row[0]] = (row[1], row[2]) }
          return rows
        }
        for key in page {
          if let row = rows[key] { checksum = Item.checksum(checksum, name: row.name, rating: row.rating) }
        }
      }
      stopwatch.stop()
      return (keys, checksum)
    }
  }

  /// Changes one row in each transaction. All rows have been read beforehand.
  func saveOne() throws -> Sample {
    try timedSaves(in: try allRows()) { row in
      try store.queue.write { try raiseRating(of: row, try $0.cachedStatement(sql: table.update), $0) }
    }
  }

  /// Reads the rows with a low rating by name, and merges the unsaved rows into them.
  func fetchUnsaved() throws -> Sample {
    let unsaved = UnsavedRows(try allRows())
    stopwatch.start()
    let rows = try store.queue.read { database in
      let selection = try database.cachedStatement(sql: table.selectionByRating)
      let cursor = try Row.fetchCursor(selection, arguments: [UnsavedChange.ratingBound])
      var rows: [RawRow] = []
      while let row = try cursor.next() { rows.append(RawRow(row)) }
      return rows
    }
    let list = unsaved.merged(into: rows)
    let checksum = list.reduce(0) { Item.checksum($0, name: $1.item.name, rating: $1.item.rating) }
    stopwatch.stop()
    return stopwatch.sample(of: list.count, checksum: checksum)
  }
}
