/// The reason for which a run, or a task of it in a child process, ends without a result: one line.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures. Each raw value is the status with which a child process ends for it.
  package enum Kind: Int32, Hashable, Sendable {
    /// A trial failed, or its data did not verify.
    case failed = 1
    /// Bad usage, damaged or unreadable input, or an output folder that cannot be written.
    case badUsage = 64
    /// A file system has no room.
    case diskFull = 73
    /// SIGINT, SIGTERM or SIGHUP, after cleaning up.
    case interrupted = 130
  }

  package var kind: Kind
  /// What was wrong, where, and what would be right, without a prefix, a full stop or a line break.
  package var message: String

  package init(kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns the failure for wrong usage, damaged input, or a folder that cannot be written.
  package static func usage(_ message: String) -> RunFailure {
    RunFailure(kind: .badUsage, message)
  }

  /// Returns the failure for a trial that failed or whose data did not verify.
  package static func failed(_ message: String) -> RunFailure {
    RunFailure(kind: .failed, message)
  }

  /// The failure for a signal that ends the run.
  package static let interrupted = RunFailure(kind: .interrupted, "interrupted; no result was written")

  /// Returns the failure with the step in which it occurred. Bad usage and a full disk name their place themselves.
  package func during(_ step: String) -> RunFailure {
    [.badUsage, .diskFull].contains(kind) ? self : RunFailure(kind: kind, "\(step): \(message)")
  }

  package var description: String { message }
}
