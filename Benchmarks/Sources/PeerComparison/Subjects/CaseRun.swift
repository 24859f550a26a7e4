/// One case by one subject, on one connection or stack: a method a case.
protocol CaseRun {
  var subject: Subject { get }
  var assignment: Assignment { get }
  var stopwatch: Stopwatch { get }

  func insert() throws -> Sample
  func fetch() throws -> Sample
  func fault() throws -> Sample
  func update() throws -> Sample
  func delete() throws -> Sample
  func findOrCreate() throws -> Sample
  func threeLevels() throws -> Sample
  func reread() throws -> Sample
  func mergeUpdates() throws -> Sample
  func mergeInserts() throws -> Sample
  func mergeRealised() throws -> Sample
  func processInController() throws -> Sample
  func scroll() throws -> Sample
  func saveOne() throws -> Sample
  func mergeIntoList() throws -> Sample
  func cascade() throws -> Sample
  func prefetch() throws -> Sample
  func fetchUnsaved() throws -> Sample
}

extension CaseRun {
  /// Does the case of the assignment.
  func sample() throws -> Sample {
    switch assignment.benchmark {
    case .insert: try insert()
    case .fetch: try fetch()
    case .fault: try fault()
    case .update: try update()
    case .delete: try delete()
    case .findOrCreate, .payloads: try findOrCreate()
    case .threeLevels: try threeLevels()
    case .reread: try reread()
    case .mergeUpdates: try mergeUpdates()
    case .mergeInserts: try mergeInserts()
    case .mergeRealised: try mergeRealised()
    case .controller: try processInController()
    case .scroll: try scroll()
    case .saveOne: try saveOne()
    case .mergeIntoList: try mergeIntoList()
    case .cascade: try cascade()
    case .prefetch: try prefetch()
    case .fetchUnsaved: try fetchUnsaved()
    }
  }

  // A subject cannot be compared in cases that it does not implement.
  func insert() throws -> Sample { throw nothingToCompare() }
  func fetch() throws -> Sample { throw nothingToCompare() }
  func fault() throws -> Sample { throw nothingToCompare() }
  func update() throws -> Sample { throw nothingToCompare() }
  func delete() throws -> Sample { throw nothingToCompare() }
  func findOrCreate() throws -> Sample { throw nothingToCompare() }
  func threeLevels() throws -> Sample { throw nothingToCompare() }
  func reread() throws -> Sample { throw nothingToCompare() }
  func mergeUpdates() throws -> Sample { throw nothingToCompare() }
  func mergeInserts() throws -> Sample { throw nothingToCompare() }
  func mergeRealised() throws -> Sample { throw nothingToCompare() }
  func processInController() throws -> Sample { throw nothingToCompare() }
  func scroll() throws -> Sample { throw nothingToCompare() }
  func saveOne() throws -> Sample { throw nothingToCompare() }
  func mergeIntoList() throws -> Sample { throw nothingToCompare() }
  func cascade() throws -> Sample { throw nothingToCompare() }
  func prefetch() throws -> Sample { throw nothingToCompare() }
  func fetchUnsaved() throws -> Sample { throw nothingToCompare() }

  private func nothingToCompare() -> PeerError {
    PeerError(.usage, "\(subject.rawValue) has nothing to set against \(assignment.benchmark.rawValue)")
  }
}

// MARK: - Timing

extension CaseRun {
  /// Times `write`, which gets the rows of one transaction at a time. If the case imports payloads, the heap is
  /// measured after the 100th and after the last one.
  func timed<Rows: RandomAccessCollection>(
    inUnitsOf rows: Rows, _ write: (Rows.SubSequence) throws -> Void
  ) rethrows -> Sample {
    let units = rows.units(of: assignment.unitSize)
    let growth = assignment.benchmark == .payloads ? HeapGrowth(payloadCount: units.count) : nil
    stopwatch.start()
    for (index, unit) in units.enumerated() {
      try write(unit)
      if let growth, growth.isDue(after: index + 1) {
        stopwatch.stop()
        growth.measure()
        stopwatch.start()
      }
    }
    stopwatch.stop()
    var sample = stopwatch.sample(of: rows.count)
    sample.heapBytesPerPayload = growth?.bytesPerPayload
    return sample
  }

  /// Times each of 100 saves (fewer if there are fewer rows) of one changed row. The rows lie at equal distances.
  func timedSaves<Row>(in rows: [Row], _ save: (Row) throws -> Void) rethrows -> Sample {
    let count = min(100, rows.count)
    stopwatch.start()
    for index in 0..<count { try save(rows[index * rows.count / count]) }
    stopwatch.stop()
    return stopwatch.sample(of: count)
  }

  /// Measures the heap of the rows that `read` returns, or of a list of them. `read` measures its time itself.
  func weighed<Rows>(_ read: () throws -> (rows: Rows, checksum: Int)) rethrows -> Sample {
    let heapBefore = HeapFigures.bytesBesideSQLite
    let (rows, checksum) = try read()
    let heapBytes = HeapFigures.bytesBesideSQLite - heapBefore
    return withExtendedLifetime(rows) {
      stopwatch.sample(of: assignment.items.count, checksum: checksum, heapBytes: heapBytes)
    }
  }
}
