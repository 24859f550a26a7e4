import Glibc
import MachineCore

/// The limit on the CPU time of this process.
enum ProcessorTime {
  /// Lets the system end this process when its threads together have run for longer than `limit` from now on.
  ///
  /// The limit is rounded up to whole seconds of the process. CPU time, unlike wall time, does not depend on the other
  /// processes of the computer. No core file is written. An error of the system is ignored.
  static func limit(to limit: TimeSpan) {
    var time = ProcessLimits.limit(RLIMIT_CPU)
    // The hard limit stays, since it cannot be raised again for the next task.
    let nanoseconds = ProcessorClock.process.nanoseconds + max(1, limit.nanoseconds)
    time.rlim_cur = min(time.rlim_max, rlim_t((nanoseconds + 999_999_999) / 1_000_000_000))
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
    // The signal would write a core file with the whole memory.
    var image = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &image)
  }
}
