import GRDB

/// GRDB's Codable records, each read, changed and written as a value.
package struct GRDBRecordsContender: Contender {
  package let subject = Subject.grdbRecords

  package init() {}

  package func perform(_ assignment: Assignment) async throws -> Sample {
    let run = RecordsRun(store: try GRDBStore(path: assignment.path), assignment: assignment)
    let sample = try run.sample()
    try run.store.queue.close()
    return sample
  }
}

/// One case on one connection.
struct RecordsRun: CaseRun {
  let subject = Subject.grdbRecords
  let store: GRDBStore
  let assignment: Assignment
  let stopwatch: Stopwatch

  init(store: GRDBStore, assignment: Assignment) {
    self.store = store
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
  }

  func insert() throws -> Sample {
    try timed(inUnitsOf: assignment.items.items) { unit in
      try store.queue.write { database in
        var key = try database.reserveKeys(unit.count, of: .plain)
        for item in unit {
          try PlainItemRecord(key: key, item: item).insert(database)
          key += 1
        }
      }
    }
  }

  func fetch() throws -> Sample {
    try weighed {
      stopwatch.start()
      let records = try store.queue.read { try PlainItemRecord.fetchAll($0) }
      var checksum = 0
      for record in records { checksum &+= record.checksum }
      stopwatch.stop()
      return (records, checksum)
    }
  }

  /// Reads one record with each SELECT, outside any transaction. The queue is entered once for all records.
  func fault() throws -> Sample {
    let keys = try allRecords().map(\.key)
    return try weighed {
      try store.queue.inDatabase { database in
        var records: [PlainItemRecord] = []
        records.reserveCapacity(keys.count)
        var checksum = 0
        stopwatch.start()
        for key in keys {
          let record = try PlainItemRecord.find(database, key: key)
          checksum &+= record.checksum
          records.append(record)
        }
        stopwatch.stop()
        return (records, checksum)
      }
    }
  }

  /// Updates records that have been read beforehand. Each update writes only the two columns that changed.
  func update() throws -> Sample {
    let records = try allRecords()
    return try timed(inUnitsOf: records) { unit in
      try store.queue.write { database in
        for record in unit {
          try raiseRating(of: record, database)
        }
      }
    }
  }

  func raiseRating(of record: PlainItemRecord, _ database: Database) throws {
    var record = record
    record.rating += 1
    record.version += 1
    try record.update(database, columns: [ItemColumns.rating, ItemColumns.version])
  }

  func delete() throws -> Sample {
    let records = try allRecords()
    return try timed(inUnitsOf: records) { unit in
      try store.queue.write { database in
        for record in unit {
          guard try record.delete(database) else {
            throw PeerError(.disagreement, "the row of record \(record.key) is gone")
          }
        }
      }
    }
  }

  func findOrCreate() throws -> Sample {
    try timed(inUnitsOf: assignment.items.items) { unit in
      try store.queue.write { database in
        for batch in unit.units(of: assignment.lookupSize) {
          let codes = batch.map(\.code)
          let found = try KeyedItemRecord.filter(codes.contains(ItemColumns.code)).fetchAll(database)
          let records = Dictionary(uniqueKeysWithValues: found.map { ($0.code, $0) })
          let missing = batch.filter { records[$0.code] == nil }
          guard !missing.isEmpty else { continue }
          var key = try database.reserveKeys(missing.count, of: .keyed)
          for item in missing {
            try KeyedItemRecord(key: key, item: item).insert(database)
            key += 1
          }
        }
      }
    }
  }

  func allRecords() throws -> [PlainItemRecord] {
    try store.queue.read { try PlainItemRecord.fetchAll($0) }
  }
}
