/// The reason for which a run, or one of its tasks in a child process, ends without a result.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures. The raw value is the exit status of a child process that fails in this way.
  package enum Kind: Int32, Hashable, Sendable {
    /// A trial failed, or its data did not verify.
    case failed = 1
    /// The usage was wrong, the input was damaged or unreadable, or the output folder cannot be written.
    case badUsage = 64
    /// A file system has no free space.
    case diskFull = 73
    /// The run got SIGINT, SIGTERM or SIGHUP and cleaned up.
    case interrupted = 130
  }

  package var kind: Kind
  /// A text that names the mistake, its place and a remedy, without a prefix, a full stop or a line break.
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

  /// Returns the failure with the step in which it occurred in its message. The messages of bad usage and of a full
  /// disk already name their place, and stay as they are.
  package func during(_ step: String) -> RunFailure {
    [.badUsage, .diskFull].contains(kind) ? self : RunFailure(kind: kind, "\(step): \(message)")
  }

  package var description: String { message }
}
