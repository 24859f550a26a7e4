import Glibc
import MachineCore

/// The system's monotonic clock, counted from the instant at which the value was created.
struct LiveClock: Sendable {
  /// The system's time at which the clock reads zero. It has the same meaning in all processes of the computer.
  let origin: Int64

  /// Creates a clock that reads zero now, or at a given time of the system.
  init(origin: Int64? = nil) {
    self.origin = origin ?? Self.read(CLOCK_MONOTONIC)
  }

  var now: Instant {
    Instant(nanoseconds: Self.read(CLOCK_MONOTONIC) - origin)
  }

  /// The CPU time of the calling thread so far; a read costs about twenty times as much as `now`.
  static var threadCPU: TimeSpan {
    TimeSpan(nanoseconds: read(CLOCK_THREAD_CPUTIME_ID))
  }

  /// Returns the deadline as the system's absolute time on `CLOCK_MONOTONIC`.
  ///
  /// A time below zero becomes zero, and a time that overflows becomes the latest one.
  func systemTime(of deadline: Instant) -> timespec {
    let (sum, overflowed) = origin.addingReportingOverflow(deadline.nanoseconds)
    let nanoseconds = overflowed && deadline.nanoseconds > 0 ? Int64.max : max(sum, 0)
    return timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  /// Sleeps until the clock reads `deadline`, as exactly as the system can wake the thread.
  func sleep(until deadline: Instant) {
    ThreadState.current.pointee.makeTimersExact()
    var time = systemTime(of: deadline)
    // A signal handler ends the sleep early; the deadline is absolute, so sleeping again is exact.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
