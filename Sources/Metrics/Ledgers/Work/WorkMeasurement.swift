import MachineCore

/// Work that was done, by kind, with the time that it took. A cost model is fitted to such measurements.
package struct WorkMeasurement: Hashable, Sendable {
  /// The name that the measurements of one kind share. They differ in size.
  package var scenario: String
  package var size: Int
  /// The CPU time of all threads that did the work.
  package var cpu: TimeSpan
  /// The time spent waiting for storage, without a core.
  package var storage: TimeSpan
  private var counts: [Int]
  private var bytes: [Int]

  package init(scenario: String, size: Int, cpu: TimeSpan, storage: TimeSpan) {
    self.scenario = scenario
    self.size = size
    self.cpu = cpu
    self.storage = storage
    counts = Work.Kind.allCases.map { _ in 0 }
    bytes = counts
  }

  /// Creates a measurement with the totals of a ledger, both roles together.
  package init(scenario: String, size: Int, cpu: TimeSpan, storage: TimeSpan, of ledger: WorkLedger) {
    self.init(scenario: scenario, size: size, cpu: cpu, storage: storage)
    for kind in Work.Kind.allCases {
      self[count: kind] = ledger.count(kind)
      self[bytes: kind] = WorkRole.allCases.reduce(0) { $0 + ledger.bytes(kind, for: $1) }
    }
  }

  package subscript(count kind: Work.Kind) -> Int {
    get { counts[Int(kind.rawValue)] }
    set { counts[Int(kind.rawValue)] = newValue }
  }

  package subscript(bytes kind: Work.Kind) -> Int {
    get { bytes[Int(kind.rawValue)] }
    set { bytes[Int(kind.rawValue)] = newValue }
  }

  /// Returns the measurement with its CPU time multiplied by a factor.
  package func withCPU(times factor: Double) -> WorkMeasurement {
    var scaled = self
    scaled.cpu = TimeSpan(nanoseconds: Int64((Double(cpu.nanoseconds) * factor).rounded()))
    return scaled
  }

  /// Returns the difference between two readings of a ledger and the clocks.
  package static func - (later: WorkMeasurement, earlier: WorkMeasurement) -> WorkMeasurement {
    var difference = later
    difference.cpu = later.cpu - earlier.cpu
    difference.storage = later.storage - earlier.storage
    for index in difference.counts.indices {
      difference.counts[index] -= earlier.counts[index]
      difference.bytes[index] -= earlier.bytes[index]
    }
    return difference
  }

  package static func + (first: WorkMeasurement, second: WorkMeasurement) -> WorkMeasurement {
    var sum = first
    sum.cpu = first.cpu + second.cpu
    sum.storage = first.storage + second.storage
    for index in sum.counts.indices {
      sum.counts[index] += second.counts[index]
      sum.bytes[index] += second.bytes[index]
    }
    return sum
  }

  /// Returns the typical measurement of repetitions of the same work, with the counts of the first one, or nil if there
  /// are no repetitions.
  ///
  /// The CPU time is the lower quartile: disturbances of a thread, such as a cache that another program has emptied,
  /// only ever add to it. The storage time is the median, because the speed of a device varies in both directions.
  package static func typical(of repetitions: [WorkMeasurement]) -> WorkMeasurement? {
    guard var typical = repetitions.first else { return nil }
    typical.cpu = repetitions.map(\.cpu).sorted()[(repetitions.count - 1) / 4]
    // If storage had no work to do, the result may be only the clocks' own error, which can be negative.
    typical.storage = max(.zero, repetitions.map(\.storage).sorted()[(repetitions.count - 1) / 2])
    return typical
  }
}
