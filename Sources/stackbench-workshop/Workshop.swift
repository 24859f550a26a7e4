import ArgumentParser
import CommandShell
import Experiments
import TrialProcesses
import Validation

/// The program `stackbench-workshop`, which `stackbench` becomes for the commands that make and check profiles.
@main
struct Workshop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stackbench", version: PackageVersions.tool,
    subcommands: [CalibrateCommand.self, ValidateCommand.self, CountWorkCommand.self] + childTasks.all)

  /// The tasks that this program gives to child processes.
  private static let childTasks = ChildTaskCommands([TrialTask.self, PublishedRowTask.self, PrepareTask.self])

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // A signal ends a hidden command at once, and its parent cleans up.
    if !childTasks.names.contains(arguments.first ?? "") { Interruption.begin() }
    CommandLineRun(arguments, of: Workshop.self).runAndExit()
  }
}
