import MachineCore

/// The resources that a soaked stack uses after a round, in all its processes together.
package struct SoakSample: Codable, Hashable, Sendable {
  /// The time from the beginning of the first round.
  package var elapsed: TimeSpan
  /// The bytes that are allocated on the heap.
  package var heapBytes: Int64
  /// The size of the store's write-ahead log.
  package var logBytes: Int64
  /// The open file descriptors.
  package var descriptorsCount: Int64
  package var threadsCount: Int64
  /// The objects that are registered in contexts.
  package var registeredObjectsCount: Int64

  package init(
    elapsed: TimeSpan, heapBytes: Int64, logBytes: Int64, descriptorsCount: Int64, threadsCount: Int64,
    registeredObjectsCount: Int64
  ) {
    self.elapsed = elapsed
    self.heapBytes = heapBytes
    self.logBytes = logBytes
    self.descriptorsCount = descriptorsCount
    self.threadsCount = threadsCount
    self.registeredObjectsCount = registeredObjectsCount
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
  /// its threads, which comes to over 1 MB for a dozen threads, and the samples take some bytes too.
  package var spareAmount: Double {
    switch self {
    case .heap: 1_000_000
    case .log: 100_000
    case .descriptors, .threads, .registeredObjects: 4
    }
  }

  /// Returns the amount of the resource in a sample.
  package func amount(in sample: SoakSample) -> Int64 {
    switch self {
    case .heap: sample.heapBytes
    case .log: sample.logBytes
    case .descriptors: sample.descriptorsCount
    case .threads: sample.threadsCount
    case .registeredObjects: sample.registeredObjectsCount
    }
  }
}
