import MachineCore
import Metrics

/// The times, the counted work and the memory of the steps of one published figure, on the machine that ran them.
///
/// The CPU times are the counted work times its costs, so that the time on another device of the same era can be
/// calculated from the counts without running the steps again.
package struct PublishedMeasurement: Codable, Hashable, Sendable {
  package var wall = TimeSpan.zero
  /// The CPU time of all threads.
  package var cpu = TimeSpan.zero
  package var mainCPU = TimeSpan.zero
  /// The work of all threads.
  package var work: WorkCounts
  /// The work of the main thread.
  package var mainWork: WorkCounts
  /// The memory of the contexts and row caches, or nil if no step was measured.
  package var memory: Memory?

  package struct Memory: Codable, Hashable, Sendable {
    /// The number of bytes that were held when the first step began.
    package var bytesAtStart: Int
    package var peakBytes: Int
  }

  /// Creates a measurement without time and work.
  package init() {
    work = WorkCounts()
    mainWork = WorkCounts()
  }

  /// Creates the measurement of the time between two readings. `wall` is the time that passed, which need not be the
  /// time between the readings.
  package init(wall: TimeSpan, from start: ThreadReading, to end: ThreadReading) {
    self.wall = wall
    cpu = end.cpu - start.cpu
    mainCPU = end.mainCPU - start.mainCPU
    work = end.work - start.work
    mainWork = end.mainWork - start.mainWork
  }

  package static func + (left: PublishedMeasurement, right: PublishedMeasurement) -> PublishedMeasurement {
    var sum = left
    sum.wall += right.wall
    sum.cpu += right.cpu
    sum.mainCPU += right.mainCPU
    sum.work = left.work + right.work
    sum.mainWork = left.mainWork + right.mainWork
    if let before = left.memory, let after = right.memory {
      sum.memory?.peakBytes = max(before.peakBytes, after.peakBytes)
    } else {
      sum.memory = left.memory ?? right.memory
    }
    return sum
  }

  /// Returns the nanoseconds or bytes that a clock or meter shows.
  package func amount(by clock: PublishedClock) -> Int64 {
    switch clock {
    case .wall: wall.nanoseconds
    case .cpu: cpu.nanoseconds
    case .mainCPU: mainCPU.nanoseconds
    case .memory: memory.map { Int64($0.peakBytes - $0.bytesAtStart) } ?? 0
    }
  }
}
