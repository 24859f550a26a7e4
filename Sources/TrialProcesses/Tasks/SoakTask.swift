import Harness
import MachineCore
import MachineLive
import Metrics

/// Soaks one stack on the live machine.
package enum SoakTask: ChildTask {
  package static let name = "child-soak"

  package struct Plan: Codable, Sendable {
    package var trial: TrialPlan
    package var limit: SoakLimit
    /// The resource of which a test leaks some in each round, or nil.
    package var planted: SoakedResource?

    package init(trial: TrialPlan, limit: SoakLimit, planted: SoakedResource? = nil) {
      self.trial = trial
      self.limit = limit
      self.planted = planted
    }
  }

  package struct Answer: Codable, Sendable {
    /// The samples of the rounds, in order.
    package var samples: [SoakSample]
    /// The things that are wrong with the data at the end.
    package var problems: [String]
  }

  package static func answer(_ plan: Plan) throws -> Answer {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    let contexts = LivingContexts()
    var instruments = TrialInstruments.live()
    instruments.didMakeContext = contexts.add
    instruments.startImportProcess = TrialTask.importProcess(of: machine)
    do {
      let (samples, problems) = try Trial(
        plan: plan.trial, machine: TrialTask.measured(machine), work: work, mainQueue: mainQueue,
        instruments: instruments
      ).soak(until: plan.limit, contexts: contexts, planting: plan.planted)
      return Answer(samples: samples, problems: problems)
    } catch {
      throw FullDisk.failure(error, in: plan.trial.scratch) ?? RunFailure.unexpected(error)
    }
  }
}
