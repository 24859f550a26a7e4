import Foundation

/// The clock by which runs are timed.
package enum Clock: String, CaseIterable, Sendable {
  /// The wall time.
  case wall
  /// The processor time of all threads of the process, without waits and the other work of the computer.
  case processor

  /// Nanoseconds since some instant.
  package var now: Int {
    var time = timespec()
    clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
