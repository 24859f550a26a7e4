import ArgumentParser
import CommandShell
import Foundation
import Glibc
import TrialProcesses

/// The command `stackbench calibrate`, which the workshop's program runs.
struct CalibrateCommand: WorkshopCommand {
  static let configuration = CalibrationFlags.command

  @OptionGroup var flags: CalibrationFlags
}

/// The command `stackbench validate`, which the workshop's program runs.
struct ValidateCommand: WorkshopCommand {
  static let configuration = ValidationFlags.command

  @OptionGroup var flags: ValidationFlags
}

enum WorkshopCommands {
  static let all: [any ParsableCommand.Type] = [CalibrateCommand.self, ValidateCommand.self]

  static let names = all.compactMap { $0.configuration.commandName }
}

/// A command that makes or checks profiles. Another program in the same folder runs it, which is only built where
/// profiles are made. This program checks the flags and then becomes the other one.
protocol WorkshopCommand: ParsableCommand {}

extension WorkshopCommand {
  func run() throws {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("stackbench-workshop").path
    guard access(path, X_OK) == 0 else {
      throw RunFailure.usage("\(path): does not exist; it runs this command, and 'make build' builds it")
    }
    Interruption.hold()
    var arguments = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    execv(path, arguments)
    throw RunFailure.failed("\(path): cannot be started: \(String(cString: strerror(errno)))")
  }
}
