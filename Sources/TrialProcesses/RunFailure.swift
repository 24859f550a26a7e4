/// The reason for which a run, or one of its tasks in a child process, ends without a result.
package struct RunFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures. The raw value is the exit status of a program that fails in this way.
  package enum Kind: Int32, Codable, Hashable, Sendable {
    /// A trial failed, or its data did not verify.
    case failed = 1
    /// The usage was wrong, the input was damaged or unreadable, or the output folder cannot be written.
    case badUsage = 64
    /// The system starts no further thread or process.
    case noFurtherThread = 71
    /// A file system has no free space.
    case diskFull = 73
    /// The run got SIGINT, SIGTERM or SIGHUP and cleaned up.
    case interrupted = 130

    /// True if the computer lacks something, so that the next task would fail in the same way.
    package var isLack: Bool { self == .diskFull || self == .noFurtherThread }
  }

  /// A setting that a message refers to. This library knows no command line, so that the program supplies its words.
  package enum Setting: Codable, Hashable, Sendable {
    case batchSize
    case model
    case outputFolder
    case propertiesToFetch
    case saveEvery
    case scratchFolder
    case store
    case timeLimit
  }

  /// A part of a message.
  package enum Part: Codable, Hashable, Sendable, ExpressibleByStringInterpolation {
    case text(String)
    case setting(Setting)

    package init(stringLiteral value: String) { self = .text(value) }
  }

  package var kind: Kind
  private let parts: [Part]

  package init(kind: Kind, _ message: String) {
    self.init(kind: kind, [.text(message)])
  }

  package init(kind: Kind, _ parts: [Part]) {
    self.kind = kind
    // Adjacent texts become one, so that failures with the same message are equal.
    self.parts = parts.reduce(into: []) { merged, part in
      if case .text(let text) = part, case .text(let last)? = merged.last {
        merged[merged.count - 1] = .text(last + text)
      } else {
        merged.append(part)
      }
    }
  }

  /// Returns the message.
  ///
  /// - Parameter word: A function that returns the word of the program for a setting.
  /// - Returns: A text that names the mistake, its place and a remedy, without a prefix, a full stop or a line break.
  package func text(naming word: (Setting) -> String) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .setting(let setting): word(setting)
      }
    }.joined()
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
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

  /// The failure for a signal that arrives when the work is done.
  static let interruptedAfterwards = RunFailure(kind: .interrupted, "interrupted after the work had ended")

  /// The failure for a thread or a process that the system does not start.
  static let noFurtherThread = RunFailure(
    kind: .noFurtherThread,
    "no further thread or process may start; raise the limit of processes with 'ulimit -u', or that of the container")

  /// Returns the failure with the step in which it occurred in its message. The messages of bad usage and of what
  /// the computer lacks already name their place, and stay as they are.
  package func during(_ step: String) -> RunFailure {
    kind == .badUsage || kind.isLack ? self : RunFailure(kind: kind, ["\(step): "] + parts)
  }

  /// The text with the names that this library has for the settings.
  package var description: String { text { "\($0)" } }
}
