import CommandShell
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the hidden commands that run tasks in child processes.
@Suite struct ChildTaskCommandTests {
  @Test func `every task has one hidden command with its name`() {
    let commands = Stackbench.childTasks.all
    let names = commands.compactMap { $0.configuration.commandName }
    #expect(
      names == [
        TrialTask.name, KilledTrialTask.name, AutopsyTask.name, PrepareTask.name, ProbeTask.name, RepeatTask.name,
        ScenarioTask.name, ExploreTask.name, SoakTask.name, ImportTask.name,
      ])
    #expect(names == Stackbench.childTasks.names && Set(names).count == names.count)
    #expect(commands.allSatisfy { !$0.configuration.shouldDisplay })
    #expect(Set(CommandName.known(of: Stackbench.self)).isDisjoint(with: names))
  }

  @Test(arguments: [ProbeTask.name, ImportTask.name])
  func `a hidden command ends with its input`(name: String) async throws {
    let outcome = try await Program.run([name])
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
  }

  @Test(arguments: [RunFailure.Kind.diskFull, .noFurtherThread])
  func `a lack of the system ends a command with status 1`(kind: RunFailure.Kind) {
    #expect(RunFailure(kind: kind, "x").status == .failed)
  }

  @Test(arguments: [RunFailure.Kind.failed, .badUsage, .interrupted])
  func `each kind of failure has an exit status of the same number`(kind: RunFailure.Kind) {
    let status = RunFailure(kind: kind, "x").status
    #expect(status.rawValue == kind.rawValue)
    #expect(RunFailure(status, "x").kind == kind)
  }
}
