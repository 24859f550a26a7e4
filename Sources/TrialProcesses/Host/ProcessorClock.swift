import Glibc
import MachineCore

/// The clocks of CPU time. A read costs about 0.4 µs.
package enum ProcessorClock {
  /// The CPU time that all threads of the process have used so far.
  package static var process: Span { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The CPU time that the calling thread has used so far.
  package static var thread: Span { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Keeps the calling thread computing until it has used so much CPU; longer by the clock if it has to share its core.
  static func spend(_ span: Span) {
    guard span > .zero else { return }
    let end = thread + span
    var number: UInt64 = 1
    repeat {
      // Some microseconds between two looks at the clock. The numbers depend on each other, and on the last look.
      for _ in 0..<2_000 { number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    } while thread < end || number == 0
  }

  private static func read(_ clock: clockid_t) -> Span {
    var time = timespec()
    clock_gettime(clock, &time)
    return Span(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
