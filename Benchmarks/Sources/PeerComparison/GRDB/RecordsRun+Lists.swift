import GRDB

// MARK: - Cases with a list that a user sees

extension RecordsRun {
  /// Reads the keys in the order of names, and then 50 records at a time, which are dropped with the page.
  func scroll() throws -> Sample {
    try weighed {
      stopwatch.start()
      let keys = try store.queue.read { database in
        try PlainItemRecord.select(ItemColumns.key, as: Int64.self).order(ItemColumns.name).fetchAll(database)
      }
      var checksum = 0
      for page in keys.units(of: Assignment.pageSize) {
        let records = try store.queue.read { database in
          try PlainItemRecord.filter(page.contains(ItemColumns.key)).fetchAll(database)
        }
        let byKey = Dictionary(uniqueKeysWithValues: records.map { ($0.key, $0) })
        for key in page {
          if let record = byKey[key] { checksum = Item.checksum(checksum, name: record.name, rating: record.rating) }
        }
      }
      stopwatch.stop()
      return (keys, checksum)
    }
  }

  /// Changes one record in each transaction. All records have been read beforehand.
  func saveOne() throws -> Sample {
    try timedSaves(in: try allRecords()) { record in
      try store.queue.write { try raiseRating(of: record, $0) }
    }
  }

  /// Reads the records with a low rating by name, and merges the unsaved rows into them.
  func fetchUnsaved() throws -> Sample {
    let unsaved = UnsavedRows(try allRecords().map(\.row))
    stopwatch.start()
    let records = try store.queue.read { database in
      try PlainItemRecord.filter(ItemColumns.rating < UnsavedChange.ratingBound).order(ItemColumns.name)
        .fetchAll(database)
    }
    let list = unsaved.merged(into: records.map(\.row))
    let checksum = list.reduce(0) { Item.checksum($0, name: $1.item.name, rating: $1.item.rating) }
    stopwatch.stop()
    return stopwatch.sample(of: list.count, checksum: checksum)
  }
}

extension PlainItemRecord {
  /// The row of the record as a struct.
  fileprivate var row: RawRow {
    RawRow(
      key: key, version: version,
      item: Item(code: code, name: name, rating: rating, price: price, updatedAt: updatedAt))
  }
}
