import Glibc
import SystemPackage
import TrialProcesses

/// Both ends of what a `run --take-turns` says and hears: it writes a line when it is ready for a trial, and begins
/// when it reads one.
final class TurnTakingRun: Sendable {
  /// What the run gets as its standard input and output; the program that starts it closes them.
  let input: FileDescriptor
  let output: FileDescriptor
  private let turns: CInt
  private let lines: AsyncStream<String>

  /// - Throws: `RunFailure` when the process has no descriptors left.
  init() throws {
    // Sockets: a write to a run that is gone is an error there, not a signal.
    func pair() throws -> (ours: CInt, theirs: FileDescriptor) {
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        throw RunFailure.failed("cannot make a socket: \(String(cString: strerror(errno)))")
      }
      return (ends[0], FileDescriptor(rawValue: ends[1]))
    }
    let (said, heard) = (try pair(), try pair())
    (turns, input) = said
    output = heard.theirs
    lines = AsyncStream(linesOf: heard.ours)
  }

  deinit {
    close(turns)
  }

  /// Waits until it is ready for its next trial; false if it has ended.
  ///
  /// - Throws: `CancellationError`.
  func isReady() async throws -> Bool {
    let line = await lines.next()
    try Task.checkCancellation()
    return line != nil
  }

  /// Lets it run one trial. It is ready again when that is over.
  func begin() {
    _ = send(turns, "\n", 1, CInt(MSG_NOSIGNAL))
  }
}
