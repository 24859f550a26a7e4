import ArgumentParser
import Harness
import MachineCore
import MachineSimulated

/// One row of a published table in virtual time, in a process of its own.
struct ChildPublishedCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "child-published", abstract: "Runs one row of a published table; started by 'validate'.",
    shouldDisplay: false)

  struct Plan: Codable, Sendable {
    var table: PublishedTable
    /// The place of the row in the table.
    var row: Int
    var simulation: Simulation
    /// The path at which the row makes its store. There is no file yet.
    var storePath: String
    /// The core of this computer for the simulation's threads; nil = the one that the process begins on.
    var hostCore: Int?
  }

  /// The measurements of a row: one for each of its figures, in their order.
  struct Answer: Codable, Sendable {
    var measurements: [PublishedMeasurement]
  }

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> Answer {
    do {
      let outcome = try Self.run(plan)
      try check(outcome.complaints)
      return Answer(measurements: outcome.measurements)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure.failed("\(error)")
    }
  }

  /// Runs a row on a simulated machine of its own.
  static func run(_ plan: Plan) throws -> PublishedTrial.Outcome {
    let work = WorkLedger()
    let mainWork = WorkLedger()
    let machine = SimulatedMachine(
      plan.simulation.device,
      options: SimulatedMachineOptions(scheduleSeed: plan.simulation.scheduleSeed, hostCore: plan.hostCore),
      ledger: work, mainLedger: mainWork)
    var options = RunOptions(simulating: plan.simulation.profile)
    options.seed = plan.simulation.seed
    let trial = PublishedTrial(
      plan: PublishedTrial.Plan(table: plan.table, row: plan.row, options: options, storePath: plan.storePath),
      machine: machine, instruments: .simulated(on: machine, plan.simulation),
      reading: { ThreadReading(of: machine, work: work, mainWork: mainWork) })
    return try machine.run { try trial.run() }
  }

  private func check(_ complaints: [String]) throws {
    guard let first = complaints.first else { return }
    let more = complaints.count == 1 ? "" : " (and \(complaints.count - 1) more)"
    throw CommandFailure.failed("its data did not verify: \(first)\(more)")
  }
}
