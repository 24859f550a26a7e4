import ArgumentParser
import Experiments
import Scenarios
import TrialProcesses

/// A command that users do not call. The program starts it in a separate process.
protocol HiddenCommand: BlockingCommand {}

/// The hidden command of a task. It reads the task's plan from a file and writes the answer to another file.
struct ChildTaskCommand<Job: ChildTask>: HiddenCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Job.name, abstract: "Does one task of a run; started by the program itself.", shouldDisplay: false)
  }

  @Option(help: ArgumentHelp("The plan, as JSON.", valueName: "file"))
  var plan: String

  @Option(help: ArgumentHelp("The file for the answer, as JSON.", valueName: "file"))
  var output: String

  func runBlocking() throws -> ExitStatus {
    Lifeline.watch()
    try Job.run(planFile: plan, answerFile: output)
    return .success
  }
}

/// The hidden command of a trial's import in a second process. It obeys commands on standard input.
struct ImportTaskCommand: HiddenCommand {
  static let configuration = CommandConfiguration(
    commandName: ImportTask.name, abstract: "Imports for a trial; started by the program itself.", shouldDisplay: false)

  @Option(help: ArgumentHelp("The plan, as JSON.", valueName: "file"))
  var plan: String

  func runBlocking() throws -> ExitStatus {
    try ImportTask.run(planFile: plan)
  }
}

/// The hidden commands of all tasks.
enum ChildTaskCommands {
  private static let tasks: [any ChildTask.Type] = [
    TrialTask.self, PublishedRowTask.self, KilledTrialTask.self, AutopsyTask.self, PrepareTask.self, ProbeTask.self,
    RepeatTask.self, ScenarioTask.self,
  ]

  static var names: [String] { tasks.map { $0.name } + [ImportTask.name] }

  static var all: [any ParsableCommand.Type] {
    tasks.map { command(of: $0) } + [ImportTaskCommand.self]
  }

  private static func command<Job: ChildTask>(of task: Job.Type) -> any ParsableCommand.Type {
    ChildTaskCommand<Job>.self
  }
}
