/// A subject at work: does a case on a store file of its own and says how long that took.
package protocol Contender: Sendable {
  var subject: Subject { get }

  /// Does what `assignment` asks; the clock runs only while the case itself does, not while it is prepared.
  ///
  /// - Throws: `PeerError`, or what the library under test throws.
  func perform(_ assignment: Assignment) async throws -> Sample
}

/// One run of one case by one subject.
package struct Assignment: Sendable {
  package var benchmark: BenchmarkCase
  /// The store, in the state in which the case starts; nobody else has it.
  package var path: String
  /// What is in the store or goes into it, in order.
  package var items: ItemFile
  package var clock: Clock
  /// Whether steps are timed apart that are one loop otherwise.
  package var isDetailed = false

  /// How many rows one transaction has.
  package static let unitSize = 1_000
  /// How many rows one look-up of find-or-create asks for.
  package static let lookupSize = 500

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

/// What one run of a case came to.
package struct Sample: Hashable, Sendable {
  package var nanoseconds: Int
  /// How many rows, properties or changes that was for.
  package var unitCount: Int
  /// What was read, or what the file holds afterwards, as a number that all subjects must agree on; nil where nobody
  /// else does the case.
  package var checksum: Int?
  /// Bytes of heap that the rows hold, SQLite's own memory not counted; nil where they are not held.
  package var heapBytes: Int?
  /// What the time was spent on, as far as it was told apart.
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
