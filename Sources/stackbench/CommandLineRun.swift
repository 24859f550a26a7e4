import ArgumentParser
import Experiments
@preconcurrency import Glibc
import TrialProcesses
import Workloads

/// One run of the program, from its arguments to its exit status.
///
/// Commands run on the process's first thread in ordinary functions. They are not in the type marked `@main`, because
/// its functions are isolated to the main actor, and a thread started there would trap.
struct CommandLineRun {
  private let arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func runAndExit() -> Never {
    CommandLineCheck.openStandardDescriptors()
    // A write beyond the limit on file sizes then fails with an error and does not end the process.
    signal(SIGXFSZ, SIG_IGN)
    if let failure = CommandLineCheck.failure { Interruption.exit(report(failure).rawValue) }
    var status = status()
    Workers.shared.end()
    // Some of the printed text may still be in a buffer.
    let code = fflush(stdout) == 0 ? 0 : errno
    if code != 0 || ferror(stdout) != 0 {
      status = report(StandardOutput.cannotBeWritten(code))
    }
    Interruption.exit(status.rawValue)
  }

  /// Runs the command and returns its exit status. An error is printed as one line before the function returns.
  private func status() -> ExitStatus {
    if let unknown = CommandName.unknown(in: arguments) { return report(unknown) }
    var command: any ParsableCommand
    do {
      command = try Stackbench.parseAsRoot(arguments)
    } catch {
      return printed(error) ?? report(CommandLineRun.failure(parsing: error, of: CommandName.first(in: arguments)))
    }
    do {
      if let failure = CommandLineCheck.unreadableWorkingFolder { throw failure }
      if let command = command as? any BlockingCommand {
        try ProcessLimits.prepare()
        return try command.runBlocking()
      }
      try command.run()
      return .success
    } catch {
      return printed(error) ?? report(CommandLineRun.failure(of: error))
    }
  }

  /// Returns the failure for an error of a command.
  static func failure(of error: any Error) -> RunFailure {
    if let error = error as? WorkloadError, [.invalidOption, .unreadableFile, .damagedFeed].contains(error.code) {
      return .usage(SettingNames.message(of: error))
    }
    return .unexpected(error)
  }

  private func report(_ failure: RunFailure) -> ExitStatus {
    Interruption.printLast { StandardError.write(line: "error: \(failure.message)") }
    return failure.status
  }

  /// Prints a help or version text, which the argument parser throws as an error, and returns the status. Returns nil
  /// for a real error.
  private func printed(_ error: any Error) -> ExitStatus? {
    guard Stackbench.exitCode(for: error).isSuccess else { return nil }
    print(HelpText.arranged(Stackbench.fullMessage(for: error), of: CommandName.first(in: arguments)))
    return .success
  }

  /// Returns the failure for an error in the arguments of `command`, which is nil if the command is unknown.
  static func failure(parsing error: any Error, of command: String? = nil) -> RunFailure {
    .usage(UsageText.line(from: Stackbench.message(for: error), command: command))
  }
}

/// A command that returns its exit status and may block the process's first thread.
protocol BlockingCommand: ParsableCommand {
  func runBlocking() throws -> ExitStatus
}

extension BlockingCommand {
  func run() throws {
    let status = try runBlocking()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
