/// A subject at work, which runs a case on a store file and returns its time.
package protocol Contender: Sendable {
  var subject: Subject { get }

  /// Runs the case of `assignment`. The clock runs during the case only, not during its preparation.
  ///
  /// - Throws: `PeerError`, or an error of the library under test.
  func perform(_ assignment: Assignment) async throws -> Sample
}

/// One run of one case by one subject.
package struct Assignment: Sendable {
  package var benchmark: BenchmarkCase
  /// The path of the store, in the state in which the case starts. No other run uses the store.
  package var path: String
  /// The items that the store has or that are inserted into it, in order.
  package var items: ItemFile
  package var clock: Clock
  /// True if steps that otherwise form one loop are timed separately.
  package var isDetailed = false

  /// The number of rows in one transaction.
  package static let unitSize = 1_000
  /// The number of rows that one look-up of find-or-create asks for.
  package static let lookupSize = 500
  /// The number of rows that a scrolled list reads at a time.
  package static let pageSize = 50
  /// The number of payloads that are imported one after another.
  package static let payloadCount = 1_000

  /// The number of rows in one transaction of this run.
  var unitSize: Int { benchmark == .payloads ? max(1, items.count / Self.payloadCount) : Self.unitSize }
  /// The number of rows of this run's look-ups, except for the last one.
  var lookupSize: Int { min(Self.lookupSize, unitSize) }

  package init(
    benchmark: BenchmarkCase, path: String, items: ItemFile, clock: Clock = .wall, isDetailed: Bool = false
  ) {
    self.benchmark = benchmark
    self.path = path
    self.items = items
    self.clock = clock
    self.isDetailed = isDetailed
  }
}

/// The result of one run of a case.
package struct Sample: Hashable, Sendable {
  package var nanoseconds: Int
  /// The number of rows, properties or changes of the run.
  package var unitCount: Int
  /// A checksum of the values that were read, or of the file's contents afterwards, on which all subjects must agree.
  /// It is nil until the file has been read.
  package var checksum: Int?
  /// The bytes of heap that the rows hold, without SQLite's own memory, or nil if rows are not held.
  package var heapBytes: Int?
  /// The bytes by which the heap grew with each payload after the 100th, or nil if the case imports no payloads.
  package var heapBytesPerPayload: Double?
  /// The most bytes of memory that the run took, with its preparation, or nil if they were not measured.
  package var peakBytes: Int?
  /// The steps of the time, as far as they were timed separately.
  package var laps: [Lap]

  package init(
    nanoseconds: Int, unitCount: Int, checksum: Int? = nil, heapBytes: Int? = nil, laps: [Lap] = []
  ) {
    self.nanoseconds = nanoseconds
    self.unitCount = unitCount
    self.checksum = checksum
    self.heapBytes = heapBytes
    self.laps = laps
  }

  package var nanosecondsPerUnit: Double { Double(nanoseconds) / Double(max(unitCount, 1)) }
}

/// One step of a run and the time that it took in all.
package struct Lap: Hashable, Sendable {
  package var name: String
  package var nanoseconds: Int

  package init(name: String, nanoseconds: Int) {
    self.name = name
    self.nanoseconds = nanoseconds
  }
}
