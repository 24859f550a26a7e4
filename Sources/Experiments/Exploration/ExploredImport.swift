import Harness
import MachineCore
import MachineSimulated
import Topologies
import TrialProcesses
import Workloads

/// The small import that is explored in each stack.
///
/// Lanes import a few records in payloads that arrive together, in units of three records. The user edits the first rows
/// of one screen, from shortly after the arrival on. Frames take no time of their own.
package struct ExploredImport: Sendable {
  private let rows: Int
  private let lanes: Int
  private let profile: Profile

  package init(rows: Int, lanes: Int, profile: Profile) {
    self.rows = rows
    self.lanes = lanes
    self.profile = profile
  }

  private static let payloadRecords = 6
  private static let unitRecords = 3

  /// Makes the workload and the store of existing rows, and returns a program for each stack with the stack's name.
  ///
  /// - Throws: `RunFailure` if files cannot be written.
  package func programs(
    for topologies: [Topology], in scratch: ScratchFolder
  ) throws -> [(String, ExploredProgram)] {
    let batch = min(Self.payloadRecords, rows)
    var workload = WorkloadOptions(
      workload: .flat, rows: rows, existingRows: .count(max(1, rows / 2)), batchSize: batch,
      mix: Mix(inserts: 34, updates: 33, deletes: 33), lanes: lanes)
    var options = RunOptions(simulating: profile)
    options.seed = Self.seed(refreshRate: options.refreshRate)
    workload.seed = options.seed
    options.lanes = lanes
    options.saveEvery = min(Self.unitRecords, batch)
    options.warmup = 0
    options.userEditInterval = .milliseconds(4)
    options.frameWork = .zero
    let archive = try scratch.makeFolder("workload")
    let baseStore = "\(scratch.path)/base.sqlite"
    do {
      _ = try PrepareTask.prepare(
        PrepareTask.Plan(
          workload: workload, isBatchSizeStandard: false, isSaveEveryStandard: false, options: options,
          archive: archive, baseStore: baseStore))
    } catch {
      throw RunFailure.unexpected(error, in: scratch.path)
    }
    let simulation = Simulation(profile: profile, seed: options.seed, isTraced: false)
    return topologies.map { topology in
      let plan = TrialPlan(
        topology: topology, options: options, archive: archive, baseStore: baseStore, scratch: scratch.path, trial: 1,
        profile: profile.name)
      return (topology.title, .trial(plan, simulation))
    }
  }

  /// Returns a seed whose first edit is due in the first tenth of the interval after the arrival of the first payload.
  private static func seed(refreshRate: Int) -> UInt64 {
    let interval = 1_000_000_000 / refreshRate
    return (1...).first { seed in
      var random = SeededRandom(seed: seed, stream: "edits")
      return random.below(interval) < interval / 10
    } ?? 1
  }
}
