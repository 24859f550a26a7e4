import CValgrind

/// Lets Valgrind count while it runs, in place of the stopwatch that times the cases of `peers`.
// `@unchecked Sendable`: it has no state of its own.
final class Stopwatch: @unchecked Sendable {
  /// Indicates whether stopwatches start and stop the counting.
  // Set between two runs, by the only thread that works then.
  nonisolated(unsafe) static var isCounting = false

  init(_ clock: Clock) {}

  func start() {
    if Self.isCounting { valgrindSetCounting(true) }
  }

  func stop() {
    if Self.isCounting { valgrindSetCounting(false) }
  }

  /// Does nothing: steps are not counted apart.
  func lap(_ name: String) {}

  /// Returns a sample without a time.
  func sample(of unitCount: Int, checksum: Int? = nil, heapBytes: Int? = nil) -> Sample {
    Sample(nanoseconds: 0, unitCount: unitCount, checksum: checksum, heapBytes: heapBytes)
  }
}
