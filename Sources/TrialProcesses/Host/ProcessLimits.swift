@preconcurrency import Glibc

/// The limits that the system sets to this process, as far as its work needs room under them.
///
/// Beyond a limit the libraries that start and watch children wait for ever or stop the process, so that a command looks
/// at the limits before it begins.
package enum ProcessLimits {
  /// The number of files that this process must be able to open: its own, and those of a child on each core.
  private static var neededFileCount: rlim_t { 32 + 16 * rlim_t(AllowedCores.current.count) }

  /// The bytes that the addresses of a process must be able to reach: a trial of 20,000 rows uses 300 MB of them.
  private static let neededAddressBytes: rlim_t = 1_000_000_000

  /// Raises the number of open files to what is needed, if the system lets this process do so.
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

  private static func limit(_ resource: __rlimit_resource) -> rlimit {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    return limit
  }
}
