import ArgumentParser
import Experiments
@preconcurrency import Glibc
import TrialProcesses
import Workloads

/// One run of the program: from its arguments to its status.
///
/// Commands run on the process's first thread, in ordinary functions: one in the type marked `@main` would be isolated
/// to the main actor, and a thread started there would trap.
struct CommandLineRun {
  private let arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func runAndExit() -> Never {
    CommandLineCheck.openStandardDescriptors()
    // A file that may grow no further is an error, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    if let failure = CommandLineCheck.failure { exit(report(failure).rawValue) }
    var status = status()
    // What is printed is in a buffer still, at least in part.
    let code = fflush(stdout) == 0 ? 0 : errno
    if code != 0 || ferror(stdout) != 0 {
      status = report(StandardOutput.cannotBeWritten(code))
    }
    exit(status.rawValue)
  }

  /// Runs the command and says how it ended; an error has been printed by then, as one line.
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
    } catch let error as WorkloadError where [.invalidOption, .unreadableFile, .damagedFeed].contains(error.code) {
      return report(.usage(SettingNames.message(of: error)))
    } catch let error as RunFailure {
      return report(error, isHidden: command is any HiddenCommand)
    } catch {
      return printed(error) ?? report(.unexpected(error), isHidden: command is any HiddenCommand)
    }
  }

  private func report(_ failure: RunFailure, isHidden: Bool = false) -> ExitStatus {
    StandardError.write(line: "error: \(failure.message)")
    return failure.status == .diskFull && !isHidden ? .failed : failure.status
  }

  /// Prints what arrives as an error and is none: a help or version text that was asked for.
  private func printed(_ error: any Error) -> ExitStatus? {
    guard Stackbench.exitCode(for: error).isSuccess else { return nil }
    print(HelpText.arranged(Stackbench.fullMessage(for: error), of: CommandName.first(in: arguments)))
    return .success
  }

  /// Returns the failure that an error in the arguments is.
  ///
  /// - Parameter command: The name of the command, or nil if it is not known.
  static func failure(parsing error: any Error, of command: String? = nil) -> RunFailure {
    .usage(UsageText.line(from: Stackbench.message(for: error), command: command))
  }
}

/// A command that says its status itself, blocking the process's first thread.
protocol BlockingCommand: ParsableCommand {
  func runBlocking() throws -> ExitStatus
}

extension BlockingCommand {
  func run() throws {
    let status = try runBlocking()
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
