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
    case .findOrCreate: try findOrCreate()
    case .threeLevels: try threeLevels()
    case .reread: try reread()
    case .mergeUpdates: try mergeUpdates()
    case .mergeInserts: try mergeInserts()
    case .mergeRealised: try mergeRealised()
    case .controller: try processInController()
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

  private func nothingToCompare() -> PeerError {
    PeerError(.usage, "\(subject.rawValue) has nothing to set against \(assignment.benchmark.rawValue)")
  }
}

// MARK: - Timing

extension CaseRun {
  /// Times `write`, which gets the rows of one transaction at a time.
  func timed<Rows: RandomAccessCollection>(
    inUnitsOf rows: Rows, _ write: (Rows.SubSequence) throws -> Void
  ) rethrows -> Sample {
    stopwatch.start()
    for unit in rows.units() { try write(unit) }
    stopwatch.stop()
    return stopwatch.sample(of: rows.count)
  }

  /// Measures the heap of the rows that `read` returns. `read` measures its time itself.
  func weighed<Rows: Collection>(_ read: () throws -> (rows: Rows, checksum: Int)) rethrows -> Sample {
    let heapBefore = HeapFigures.bytesBesideSQLite
    let (rows, checksum) = try read()
    let heapBytes = HeapFigures.bytesBesideSQLite - heapBefore
    return withExtendedLifetime(rows) {
      stopwatch.sample(of: rows.count, checksum: checksum, heapBytes: heapBytes)
    }
  }
}
