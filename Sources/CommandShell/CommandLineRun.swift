import ArgumentParser
import Experiments
@preconcurrency import Glibc
import TrialProcesses
import Workloads

/// One run of the program, from its arguments to its exit status.
///
/// Commands run on the process's first thread in ordinary functions. They are not in the type marked `@main`, because
/// its functions are isolated to the main actor, and a thread started there would trap.
package struct CommandLineRun {
  private let program: any ParsableCommand.Type
  private let arguments: [String]

  package init(_ arguments: [String], of program: any ParsableCommand.Type) {
    (self.arguments, self.program) = (arguments, program)
  }

  package func runAndExit() -> Never {
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
    if let unknown = CommandName.unknown(in: arguments, of: program) { return report(unknown) }
    var command: any ParsableCommand
    do {
      command = try program.parseAsRoot(arguments)
    } catch {
      let name = CommandName.first(in: arguments)
      return printed(error) ?? report(CommandLineRun.failure(parsing: error, of: name, program))
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
  package static func failure(of error: any Error) -> RunFailure {
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
    guard program.exitCode(for: error).isSuccess else { return nil }
    print(HelpText.arranged(program.fullMessage(for: error), of: CommandName.first(in: arguments)))
    return .success
  }

  /// Returns the failure for an error in the arguments of a program's command, which is nil if it is unknown.
  package static func failure(
    parsing error: any Error, of command: String? = nil, _ program: any ParsableCommand.Type
  ) -> RunFailure {
    .usage(UsageText.line(from: program.message(for: error), command: command))
  }
}

/// A command that returns its exit status and may block the process's first thread.
package protocol BlockingCommand: ParsableCommand {
  func runBlocking() throws -> ExitStatus
}

extension BlockingCommand {
  package func run() throws {
    let status = try runBlocking()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
