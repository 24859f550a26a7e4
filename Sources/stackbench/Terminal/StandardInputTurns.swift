import CommandShell
import Experiments
import Glibc
import TrialProcesses

/// The turns of a run whose trials wait for a line on standard input.
struct StandardInputTurns: TrialTurns {
  private let lines = AsyncStream(linesOf: dup(STDIN_FILENO))

  /// Writes the trial's name to standard output and suspends until a line arrives on standard input. Returns false at
  /// the end of the input.
  func waitForTurn(of title: String) async throws -> Bool {
    try StandardOutput.writeAtOnce(line: title)
    return await lines.next() != nil
  }
}
