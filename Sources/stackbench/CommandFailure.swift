/// Why a command ends with a status other than 0: one line for standard error.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
  var status: ExitStatus
  /// What was wrong, where, and what would be right; without a prefix, a full stop or a line break.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Wrong usage, damaged input, or a folder that cannot be written.
  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(.badUsage, message)
  }

  /// A trial failed, or its data did not verify.
  static func failed(_ message: String) -> CommandFailure {
    CommandFailure(.failed, message)
  }

  static let interrupted = CommandFailure(.interrupted, "interrupted; no result was written")

  /// The same with what was going on; bad usage and a full disk speak for themselves.
  func during(_ step: String) -> CommandFailure {
    [.badUsage, .diskFull].contains(status) ? self : CommandFailure(status, "\(step): \(message)")
  }

  var description: String { message }
}

/// What the process's status says.
enum ExitStatus: Int32, Hashable {
  case success = 0
  /// A trial failed or its data did not verify.
  case failed = 1
  /// Something is worse than it was: the gate found a regression, or a comparison says so.
  case worse = 2
  /// Bad usage, damaged or unreadable input, an output folder that cannot be written.
  case badUsage = 64
  /// A file system has no room. Only hidden commands end with it, to tell their parent; all others end with 1.
  case diskFull = 73
  /// SIGINT, SIGTERM or SIGHUP, after cleaning up.
  case interrupted = 130
}
