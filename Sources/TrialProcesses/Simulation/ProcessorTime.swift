import Glibc
import MachineCore

/// The limit on the CPU time of this process.
enum ProcessorTime {
  /// Lets the system end this process when its threads together have run for longer than `limit`.
  ///
  /// The limit is rounded up to whole seconds, at least one. CPU time, unlike wall time, does not depend on the other
  /// processes of the computer. The hard limit is one second more, and no core file is written. An error of the system
  /// is ignored.
  static func limit(to limit: TimeSpan) {
    let seconds = rlim_t(max(1, (limit.nanoseconds + 999_999_999) / 1_000_000_000))
    var time = rlimit(rlim_cur: seconds, rlim_max: seconds + 1)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
    // The signal would write a core file with the whole memory.
    var image = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &image)
  }
}
