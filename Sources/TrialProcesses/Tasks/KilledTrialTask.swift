import Harness
import MachineCore
import MachineLive
import Metrics

/// Runs one trial until its app dies. On the live machine the process kills itself and writes no answer.
package enum KilledTrialTask: ChildTask {
  package static let name = "child-killed-trial"

  /// The answer of a simulated trial, which means that the machine stopped at the death of the app and that the files
  /// are as they were at that instant.
  package struct Answer: Codable, Sendable {}

  package static func answer(_ plan: TrialTask.Plan) throws -> Answer {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: TrialTask.tickCapacity(plan))
    do {
      if let simulation = plan.simulation {
        ProcessorTime.limit(to: plan.trial.options.timeLimit)
        try SimulatedTrial(plan.trial, simulation, hostCore: plan.hostCore).runUntilKilled(
          work: work, mainQueue: mainQueue)
      } else {
        let machine = LiveMachine(ledger: work, observer: mainQueue)
        try Trial(plan: plan.trial, machine: machine, work: work, mainQueue: mainQueue, instruments: .live())
          .runUntilKilled()
      }
      return Answer()
    } catch {
      if let failure = TrialTask.failure(error, of: plan.trial.options.fileFault) { throw failure }
      throw RunFailure.unexpected(error, in: plan.trial.scratch)
    }
  }
}
