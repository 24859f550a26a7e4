import Scenarios
import TestSupport
import Testing
import TrialProcesses

@testable import Experiments
@testable import Validation
@testable import stackbench

/// Tests of the hidden commands that run tasks in child processes.
@Suite struct ChildTaskCommandTests {
  @Test func `every task has one hidden command with its name`() {
    let names = ChildTaskCommands.all.compactMap { $0.configuration.commandName }
    #expect(
      names == [
        TrialTask.name, PublishedRowTask.name, KilledTrialTask.name, AutopsyTask.name, PrepareTask.name,
        ProbeTask.name, RepeatTask.name, ScenarioTask.name, ImportTask.name,
      ])
    #expect(Set(names).count == names.count)
    #expect(ChildTaskCommands.all.allSatisfy { !$0.configuration.shouldDisplay })
    #expect(Set(CommandName.known).isDisjoint(with: names))
  }

  @Test func `a hidden command refuses a damaged plan in one line`() async throws {
    let folder = try TemporaryFolder()
    let plan = try folder.write("{}", to: "plan.json")
    let outcome = try await Program.run([ProbeTask.name, "--plan", plan, "--output", "\(folder.path)/answer.json"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.hasPrefix("error: \(plan): does not hold a Plan: ") == true)
    #expect(folder.contents(of: "") == ["plan.json"])
  }

  @Test(arguments: [RunFailure.Kind.failed, .badUsage, .diskFull, .interrupted])
  func `each kind of failure has an exit status of the same number`(kind: RunFailure.Kind) {
    let status = RunFailure(kind: kind, "x").status
    #expect(status.rawValue == kind.rawValue)
    #expect(RunFailure(status, "x").kind == kind)
  }
}
