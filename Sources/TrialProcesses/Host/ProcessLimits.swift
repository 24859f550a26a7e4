@preconcurrency import Glibc

/// Checks the limits that the system sets for this process against the needs of its work.
///
/// The libraries that start and watch children wait for ever or stop the process when it reaches a limit, so a command
/// checks the limits before it begins.
package enum ProcessLimits {
  /// The number of files that this process must be able to open: its own files, and the files of a child on each core.
  private static var neededFileCount: rlim_t { 32 + 16 * rlim_t(AllowedCores.current.count) }

  /// The size in bytes of the address space that a process needs. A trial of 20,000 rows uses 300 MB.
  private static let neededAddressBytes: rlim_t = 1_000_000_000

  /// Raises the limit of open files to the number that is needed, as far as the system allows it, and checks the
  /// limits.
  ///
  /// - Throws: `RunFailure` if a limit is too low.
  package static func prepare() throws(RunFailure) {
    var files = limit(RLIMIT_NOFILE)
    if files.rlim_cur < neededFileCount {
      files.rlim_cur = min(files.rlim_max, neededFileCount)
      _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    guard files.rlim_cur >= neededFileCount else {
      throw .failed(
        "this process may have \(files.rlim_cur) open files and needs \(neededFileCount); raise the limit with 'ulimit -n'"
      )
    }
    let addresses = limit(RLIMIT_AS).rlim_cur
    guard addresses >= neededAddressBytes else {
      throw .failed(
        "this process may use \(addresses / 1_000_000) MB of addresses and needs \(neededAddressBytes / 1_000_000) MB; "
          + "raise the limit with 'ulimit -v'")
    }
  }

  /// Returns a limit that the system sets for this process.
  static func limit(_ resource: __rlimit_resource) -> rlimit {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    return limit
  }
}
