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
private struct RecordsRun {
  let store: GRDBStore
  let assignment: Assignment
  let stopwatch: Stopwatch

  init(store: GRDBStore, assignment: Assignment) {
    self.store = store
    self.assignment = assignment
    stopwatch = Stopwatch(assignment.clock)
  }

  func sample() throws -> Sample {
    switch assignment.benchmark {
    case .insert: try insert()
    case .fetch: try fetch()
    case .fault: try fault()
    case .update: try update()
    case .delete: try delete()
    case .findOrCreate: try findOrCreate()
    case .threeLevels, .reread, .mergeUpdates, .mergeInserts, .mergeRealised, .controller:
      throw PeerError(.usage, "GRDB has nothing to set against \(assignment.benchmark.rawValue)")
    }
  }

  private func insert() throws -> Sample {
    stopwatch.start()
    for unit in assignment.items.units {
      try store.queue.write { database in
        var key = try database.reserveKeys(unit.count, of: .plain)
        for item in unit {
          try PlainItemRecord(key: key, item: item).insert(database)
          key += 1
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: assignment.items.count)
  }

  private func fetch() throws -> Sample {
    let heapBefore = HeapFigures.bytesBesideSQLite
    stopwatch.start()
    let records = try store.queue.read { try PlainItemRecord.fetchAll($0) }
    var checksum = 0
    for record in records { checksum &+= record.checksum }
    stopwatch.stop()
    let heapBytes = HeapFigures.bytesBesideSQLite - heapBefore
    return withExtendedLifetime(records) {
      stopwatch.sample(of: records.count, checksum: checksum, heapBytes: heapBytes)
    }
  }

  /// One record a SELECT, outside any transaction; the queue is entered once for all.
  private func fault() throws -> Sample {
    let keys = try allRecords().map(\.key)
    let heapBefore = HeapFigures.bytesBesideSQLite
    return try store.queue.inDatabase { database in
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
      let heapBytes = HeapFigures.bytesBesideSQLite - heapBefore
      return withExtendedLifetime(records) {
        stopwatch.sample(of: records.count, checksum: checksum, heapBytes: heapBytes)
      }
    }
  }

  /// The records have been read beforehand; only the two columns that changed are written.
  private func update() throws -> Sample {
    let records = try allRecords()
    stopwatch.start()
    for unit in records.units() {
      try store.queue.write { database in
        for record in unit {
          var record = record
          record.rating += 1
          record.version += 1
          try record.update(database, columns: [ItemColumns.rating, ItemColumns.version])
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: records.count)
  }

  private func delete() throws -> Sample {
    let records = try allRecords()
    stopwatch.start()
    for unit in records.units() {
      try store.queue.write { database in
        for record in unit {
          guard try record.delete(database) else {
            throw PeerError(.disagreement, "the row of record \(record.key) is gone")
          }
        }
      }
    }
    stopwatch.stop()
    return stopwatch.sample(of: records.count)
  }

  private func findOrCreate() throws -> Sample {
    stopwatch.start()
    for unit in assignment.items.units {
      try store.queue.write { database in
        for batch in unit.units(of: Assignment.lookupSize) {
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
    stopwatch.stop()
    return stopwatch.sample(of: assignment.items.count)
  }

  private func allRecords() throws -> [PlainItemRecord] {
    try store.queue.read { try PlainItemRecord.fetchAll($0) }
  }
}
