import Foundation

/// The clock that times runs.
package enum Clock: String, CaseIterable, Sendable {
  /// The time that passes.
  case wall
  /// The processor time of all threads of the process: blind to what else the computer does, and to waiting.
  case processor

  /// Nanoseconds since some instant.
  package var now: Int {
    var time = timespec()
    clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
