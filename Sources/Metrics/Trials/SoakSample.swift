import MachineCore

/// The resources that a soaked stack uses after a round, in all its processes together.
package struct SoakSample: Codable, Hashable, Sendable {
  /// The time from the beginning of the first round.
  package var elapsed: TimeSpan
  /// The size of the store's write-ahead log.
  package var logBytes: Int64
  package var resources: ProcessResources

  package init(elapsed: TimeSpan, logBytes: Int64, resources: ProcessResources) {
    self.elapsed = elapsed
    self.logBytes = logBytes
    self.resources = resources
  }
}

/// A resource that a soak watches.
package enum SoakedResource: String, Codable, CaseIterable, Sendable {
  case heap
  case log
  case descriptors
  case threads
  case registeredObjects = "registered-objects"

  /// The growth over a soak up to which the resource counts as flat.
  ///
  /// Pools and caches of the system may grow at a late time. Dispatch keeps the memory of up to 1,024 blocks for each of
  /// its threads, which comes to over 1 MB for a dozen threads. The log keeps its largest size: it becomes longer when
  /// reads delay a checkpoint for longer than before, which happens ever more rarely.
  package var spareAmount: Double {
    switch self {
    case .heap, .log: 1_000_000
    case .descriptors, .threads, .registeredObjects: 4
    }
  }

  /// Returns the amount of the resource in a sample.
  package func amount(in sample: SoakSample) -> Int64 {
    switch self {
    case .heap: sample.resources.heapBytes
    case .log: sample.logBytes
    case .descriptors: sample.resources.descriptorsCount
    case .threads: sample.resources.threadsCount
    case .registeredObjects: sample.resources.registeredObjectsCount
    }
  }
}
