import ArgumentParser
import Harness
import MachineCore
import MachineLive
import Metrics

/// One trial whose app dies in its middle: on the live machine the process kills itself and answers nothing.
struct KilledTrialCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-killed-trial", abstract: "Runs one trial until its app dies; started by 'run'.",
    shouldDisplay: false)

  /// That the machine was stopped at the death, and the files are as they were then.
  struct Answer: Codable, Sendable {}

  @OptionGroup var files: PlanFiles

  func answer(_ plan: ChildTrialCommand.Plan) throws -> Answer {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: ChildTrialCommand.tickCapacity)
    do {
      if let simulation = plan.simulation {
        ProcessorTime.limit(to: plan.trial.options.timeLimit)
        try SimulatedTrial(plan.trial, simulation, hostCore: plan.hostCore).runUntilKilled(work, mainQueue)
      } else {
        let machine = LiveMachine(ledger: work, observer: mainQueue)
        try Trial(plan: plan.trial, machine: machine, work: work, mainQueue: mainQueue, instruments: .live())
          .runUntilKilled()
      }
      return Answer()
    } catch {
      throw CommandFailure.unexpected(error, in: plan.trial.scratch)
    }
  }
}
