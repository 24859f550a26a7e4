import Glibc
import MachineCore

/// The CPU time that a hypervisor gave to other guests while this computer had work to do, as a total of all cores.
enum StolenTime {
  /// The stolen time since the computer started, or nil if the system does not report it.
  static var current: TimeSpan? {
    let ticksPerSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
    return HostFacts.text(of: "/proc/stat").flatMap { span(inStatistics: $0, ticksPerSecond: ticksPerSecond) }
  }

  /// Returns the time in the text of `/proc/stat`, or nil if it has no such field.
  ///
  /// The first line sums up all cores. Its fields are user, nice, system, idle, iowait, irq, softirq and steal.
  static func span(inStatistics text: String, ticksPerSecond: Int64) -> TimeSpan? {
    let fields = text.prefix { $0 != "\n" }.split(separator: " ")
    guard ticksPerSecond > 0, fields.first == "cpu", fields.count > 8, let ticks = Int64(fields[8]) else { return nil }
    return TimeSpan(nanoseconds: ticks * (1_000_000_000 / ticksPerSecond))
  }
}
