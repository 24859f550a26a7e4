import ArgumentParser
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Topologies

/// One row of a published table in virtual time, in a process of its own.
struct ChildPublishedCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-published", abstract: "Runs one row of a published table; started by 'validate'.",
    shouldDisplay: false)

  struct Plan: Codable, Sendable {
    var row: PublishedTable.Row
    /// About how many objects.
    var objectCount: Int
    var simulation: Simulation
    /// Where the row makes its store; nothing is there yet.
    var storePath: String
    /// The core of this computer for the simulation's threads; nil = where it happens to begin.
    var hostCore: Int?
  }

  /// What a row came to; one entry for each phase that was measured by itself.
  struct Answer: Codable, Sendable {
    var phases: [Figures]
  }

  struct Figures: Codable, Hashable, Sendable {
    var total: Span
    /// Of all threads.
    var cpu: Span
    var mainCPU: Span
  }

  /// The room that the main queue's ledger has at the start: ticks of ten minutes at 60 a second.
  private static let tickCapacity = 36_000

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> Answer {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: ChildPublishedCommand.tickCapacity)
    let machine = SimulatedMachine(
      plan.simulation.device,
      options: SimulatedMachineOptions(scheduleSeed: plan.simulation.scheduleSeed, hostCore: plan.hostCore),
      ledger: work, observer: mainQueue)
    let instruments = TrialInstruments.simulated(on: machine, plan.simulation)
    var options = RunOptions(simulating: plan.simulation.profile)
    options.seed = plan.simulation.seed
    do {
      switch plan.row {
      case .twoPhaseImport(let topology, let batching):
        guard let topology = Topology.named(topology) else {
          throw CommandFailure.failed("no stack is called \(topology)")
        }
        let trial = PublishedTrial(
          plan: PublishedTrial.Plan(
            topology: topology, batching: batching, options: options, storePath: plan.storePath,
            objectCount: plan.objectCount),
          machine: machine, work: work, mainQueue: mainQueue, instruments: instruments)
        let outcome = try machine.run { try trial.run() }
        try check(outcome.complaints)
        return Answer(phases: [Figures(total: outcome.total, cpu: machine.totalCPU, mainCPU: outcome.mainCPU)])
      case .anchor:
        let trial = AnchorTrial(
          plan: AnchorTrial.Plan(options: options, storePath: plan.storePath, objectCount: plan.objectCount),
          machine: machine, mainQueue: mainQueue, instruments: instruments)
        let outcome = try machine.run { try trial.run() }
        try check(outcome.complaints)
        return Answer(phases: outcome.phases.map { Figures(total: $0.total, cpu: $0.cpu, mainCPU: $0.mainCPU) })
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure.failed("\(error)")
    }
  }

  private func check(_ complaints: [String]) throws {
    guard let first = complaints.first else { return }
    let more = complaints.count == 1 ? "" : " (and \(complaints.count - 1) more)"
    throw CommandFailure.failed("its data did not verify: \(first)\(more)")
  }
}
