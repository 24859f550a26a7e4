import MachineCore

/// Work that was done, by kind, and what it took: one line of what a cost model is fitted to.
package struct WorkMeasurement: Hashable, Sendable {
  /// What the measurements of one kind have in common; they differ in size.
  package var scenario: String
  package var size: Int
  /// Of all threads that did the work.
  package var cpu: Span
  /// Waited for storage, without a core.
  package var storage: Span
  private var counts: [Int]
  private var bytes: [Int]

  package init(scenario: String, size: Int, cpu: Span, storage: Span) {
    self.scenario = scenario
    self.size = size
    self.cpu = cpu
    self.storage = storage
    counts = Work.Kind.allCases.map { _ in 0 }
    bytes = counts
  }

  /// The totals of a ledger, both roles together.
  package init(scenario: String, size: Int, cpu: Span, storage: Span, of ledger: WorkLedger) {
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

  /// Returns the same with its CPU time times a factor.
  package func withCPU(times factor: Double) -> WorkMeasurement {
    var scaled = self
    scaled.cpu = Span(nanoseconds: Int64((Double(cpu.nanoseconds) * factor).rounded()))
    return scaled
  }

  /// What was measured from one look at a ledger and the clocks to the next.
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

  /// What repetitions of the same work come to, with the counts of the first; nil without one.
  ///
  /// CPU time is their lower quartile: what disturbs a thread, such as a cache that another program has emptied, only ever
  /// adds to it. Storage time is their median: a device is slow or fast by itself.
  package static func typical(of repetitions: [WorkMeasurement]) -> WorkMeasurement? {
    guard var typical = repetitions.first else { return nil }
    typical.cpu = repetitions.map(\.cpu).sorted()[(repetitions.count - 1) / 4]
    // Where storage had nothing to do, the clocks' own error may be all that is left, on either side of nothing.
    typical.storage = max(.zero, repetitions.map(\.storage).sorted()[(repetitions.count - 1) / 2])
    return typical
  }
}
