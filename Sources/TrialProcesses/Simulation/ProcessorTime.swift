import Glibc
import MachineCore

/// The processor time of this process.
enum ProcessorTime {
  /// Lets the system end this process when all its threads together have run for longer than `limit`.
  ///
  /// Unlike wall time, that does not depend on what else this computer does.
  static func limit(to limit: Span) {
    let seconds = rlim_t(max(1, (limit.nanoseconds + 999_999_999) / 1_000_000_000))
    var time = rlimit(rlim_cur: seconds, rlim_max: seconds + 1)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
    // The signal would leave an image of the whole memory.
    var image = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &image)
  }
}
