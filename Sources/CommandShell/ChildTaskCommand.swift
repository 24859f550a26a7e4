import ArgumentParser
import Experiments
import TrialProcesses

/// The hidden command of a task, which users do not call. It reads plans from standard input and writes answers to
/// standard output.
struct ChildTaskCommand<Job: ChildTask>: BlockingCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Job.name, abstract: "Does tasks of a run; started by the program itself.", shouldDisplay: false)
  }

  func runBlocking() throws -> ExitStatus {
    Job.serve(CommandLineRun.failure(of:))
  }
}

/// The hidden command of a trial's import in a second process. It obeys commands on standard input.
struct ImportTaskCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: ImportTask.name, abstract: "Imports for a trial; started by the program itself.", shouldDisplay: false)

  func runBlocking() throws -> ExitStatus {
    ImportTask.run()
  }
}

/// The hidden commands of the tasks that a program gives to child processes.
package struct ChildTaskCommands {
  private let tasks: [any ChildTask.Type]

  package init(_ tasks: [any ChildTask.Type]) {
    self.tasks = tasks
  }

  package var names: [String] { tasks.map { $0.name } + [ImportTask.name] }

  package var all: [any ParsableCommand.Type] {
    tasks.map { Self.command(of: $0) } + [ImportTaskCommand.self]
  }

  private static func command<Job: ChildTask>(of task: Job.Type) -> any ParsableCommand.Type {
    ChildTaskCommand<Job>.self
  }
}
