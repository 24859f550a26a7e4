import Glibc
import TrialProcesses

/// The connection to a `run --take-turns` process, which writes a line when it is ready for a trial, and begins the
/// trial when it reads a line.
final class TurnTakingRun: Sendable {
  /// The standard input of the run. `ForeignProgram` closes the descriptor when it starts the run.
  let input: CInt
  /// The standard output of the run. `ForeignProgram` closes the descriptor when it starts the run.
  let output: CInt
  /// The socket to which turns are written.
  private let turns: CInt
  /// The lines that the run writes.
  private let lines: AsyncStream<String>

  /// Creates the sockets of a connection.
  ///
  /// - Throws: `RunFailure` if the sockets cannot be made, for example because the process has no descriptors left.
  init() throws {
    // Sockets are used because a write to a run that has ended is then an error and not a signal.
    func pair() throws -> (ours: CInt, theirs: CInt) {
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        throw RunFailure.failed("cannot make a socket: \(String(cString: strerror(errno)))")
      }
      return (ends[0], ends[1])
    }
    let (said, heard) = (try pair(), try pair())
    (turns, input) = said
    output = heard.theirs
    lines = AsyncStream(linesOf: heard.ours)
  }

  deinit {
    close(turns)
  }

  /// Waits until the run is ready for its next trial.
  ///
  /// - Returns: False if the run has ended.
  /// - Throws: `CancellationError` if the task is cancelled.
  func isReady() async throws -> Bool {
    let line = await lines.next()
    try Task.checkCancellation()
    return line != nil
  }

  /// Lets the run begin one trial. The run is ready again after the trial.
  func begin() {
    _ = send(turns, "\n", 1, CInt(MSG_NOSIGNAL))
  }
}
