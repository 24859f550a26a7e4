// MARK: - Cases with a list that a user sees

extension RawRun {
  /// Reads the keys in the order of names, and then 50 rows at a time, which are dropped with the page.
  func scroll() throws -> Sample {
    let keySelection = try database.prepare(table.keysByName)
    let pageSelection = try database.prepare(table.namesAndRatings(ofKeys: Assignment.pageSize))
    return try weighed {
      stopwatch.start()
      var keys: [Int64] = []
      while try keySelection.step() { keys.append(keySelection.integer(0)) }
      keySelection.reset()
      stopwatch.lap("select the keys")
      var checksum = 0
      for page in keys.units(of: Assignment.pageSize) {
        let selection =
          page.count == Assignment.pageSize
          ? pageSelection : try database.prepare(table.namesAndRatings(ofKeys: page.count))
        for (offset, key) in page.enumerated() { selection.bind(key, at: Int32(offset + 1)) }
        var rows: [Int64: (name: String, rating: Int64)] = [:]
        while try selection.step() { rows[selection.integer(0)] = (selection.text(1), selection.integer(2)) }
        selection.reset()
        for key in page {
          if let row = rows[key] { checksum = Item.checksum(checksum, name: row.name, rating: row.rating) }
        }
      }
      stopwatch.lap("read the pages")
      stopwatch.stop()
      return (keys, checksum)
    }
  }

  /// Changes one row in each transaction. All rows have been read beforehand.
  func saveOne() throws -> Sample {
    let rows = try database.rows(of: table)
    let update = try database.prepare(table.update)
    return try timedSaves(in: rows) { row in
      try database.inTransaction { () throws(PeerError) in try raiseRating(of: row, update) }
    }
  }

  /// Reads the rows with a low rating by name, and merges the unsaved rows into them.
  func fetchUnsaved() throws -> Sample {
    let unsaved = UnsavedRows(try database.rows(of: table))
    let selection = try database.prepare(table.selectionByRating)
    stopwatch.start()
    var rows: [RawRow] = []
    selection.bind(UnsavedChange.ratingBound, at: 1)
    while try selection.step() { rows.append(RawRow(selection)) }
    selection.reset()
    stopwatch.lap("select into structs")
    let list = unsaved.merged(into: rows)
    stopwatch.lap("merge the unsaved rows")
    let checksum = list.reduce(0) { Item.checksum($0, name: $1.item.name, rating: $1.item.rating) }
    stopwatch.lap("read two attributes")
    stopwatch.stop()
    return stopwatch.sample(of: list.count, checksum: checksum)
  }
}

/// The unsaved rows of an app without an engine, which it merges into the result of each SELECT.
struct UnsavedRows: Sendable {
  /// The keys of changed and deleted rows.
  private let replacedKeys: Set<Int64>
  /// The new and changed rows that the fetch finds, by name.
  private let matching: [RawRow]

  /// Creates the unsaved rows of a store with the given rows, in the order of the items.
  init(_ rows: [RawRow]) {
    var replacedKeys: Set<Int64> = []
    var matching: [RawRow] = []
    for (index, row) in rows.enumerated() {
      guard let change = UnsavedChange(index: index) else { continue }
      let other = RawRow(key: change == .insertion ? -row.key : row.key, version: row.version, item: row.item.other)
      if change != .insertion { replacedKeys.insert(row.key) }
      if change != .deletion && other.item.rating < UnsavedChange.ratingBound { matching.append(other) }
    }
    self.replacedKeys = replacedKeys
    self.matching = matching.sorted { $0.item.name < $1.item.name }
  }

  /// Returns the saved rows of a fetch, sorted by name, with the unsaved ones in their places. O(n).
  func merged(into saved: [RawRow]) -> [RawRow] {
    var list: [RawRow] = []
    list.reserveCapacity(saved.count + matching.count)
    var rest = matching[...]
    for row in saved where !replacedKeys.contains(row.key) {
      while let next = rest.first, next.item.name < row.item.name {
        list.append(next)
        rest.removeFirst()
      }
      list.append(row)
    }
    return list + rest
  }
}
