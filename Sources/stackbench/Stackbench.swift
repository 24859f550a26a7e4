import ArgumentParser
import CommandShell
import Experiments
import TrialProcesses

/// The command `stackbench`.
@main
struct Stackbench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stackbench",
    abstract: "Measures what an import does to the UI of an app, for each way of wiring managed object contexts.",
    version: PackageVersions.tool,
    subcommands: [
      RunCommand.self, InitCommand.self, TopologiesCommand.self, WorkloadsCommand.self, InspectCommand.self,
      ProfilesCommand.self,
      CalibrateCommand.self, ValidateCommand.self, SweepCommand.self, TrialCommand.self, CollectCommand.self,
      ExplainCommand.self, ExploreCommand.self, SoakCommand.self, ScenarioCommand.self, ClaimsCommand.self,
      GateCommand.self, CompareCommand.self, ReportCommand.self, AdviseCommand.self, ShowCommand.self,
      YardstickCommand.self,
    ] + childTasks.all)

  /// The tasks that this program gives to child processes.
  static let childTasks = ChildTaskCommands([
    TrialTask.self, KilledTrialTask.self, AutopsyTask.self, PrepareTask.self, ProbeTask.self, RepeatTask.self,
    ScenarioTask.self, ExploreTask.self, SoakTask.self,
  ])

  /// Runs the command line and ends the process. It replaces the function of the argument parser, which adds a usage
  /// text to every error.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // A signal ends a hidden command at once, and its parent cleans up. Another program obeys the signals of the
    // commands that it runs.
    if !(childTasks.names + WorkshopCommands.names).contains(arguments.first ?? "") { Interruption.begin() }
    CommandLineRun(arguments, of: Stackbench.self).runAndExit()
  }
}
