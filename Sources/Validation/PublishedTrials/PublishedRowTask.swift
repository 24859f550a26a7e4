import Harness
import MachineCore
import MachineSimulated
import TrialProcesses

/// Runs one row of a published table in virtual time.
package enum PublishedRowTask: ChildTask {
  package static let name = "child-published"

  package struct Plan: Codable, Sendable {
    package var table: PublishedTable
    /// The index of the row in the table.
    package var row: Int
    package var simulation: Simulation
    /// An empty folder, in which the task makes the store of the row.
    package var folder: String
    /// The core of this computer for the simulation's threads, or nil for the core on which the process begins.
    package var hostCore: Int?
  }

  /// The measurements of a row: one for each of its figures, in the order of the figures.
  package struct Answer: Codable, Sendable {
    package var measurements: [PublishedMeasurement]
  }

  package static func sharedFolder(_ plan: Plan) -> String? { plan.folder }

  package static func answer(_ plan: Plan) throws -> Answer {
    let title = "\(plan.table.name), row “\(plan.table.rows[plan.row].title)”"
    let outcome: PublishedTrial.Outcome
    do {
      outcome = try Self.run(plan)
    } catch let failure as RunFailure {
      throw failure
    } catch {
      throw RunFailure.failed("\(title): \(error)")
    }
    if let first = outcome.complaints.first {
      let more = outcome.complaints.count == 1 ? "" : " (and \(outcome.complaints.count - 1) more)"
      throw RunFailure.failed("\(title): its data did not verify: \(first)\(more)")
    }
    return Answer(measurements: outcome.measurements)
  }

  /// Runs a row on a new simulated machine.
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
      plan: PublishedTrial.Plan(
        table: plan.table, row: plan.row, options: options, storePath: "\(plan.folder)/store.sqlite"),
      machine: machine, instruments: .simulated(on: machine, plan.simulation),
      reading: { ThreadReading(of: machine, work: work, mainWork: mainWork) })
    return try machine.run { try trial.run() }
  }
}
