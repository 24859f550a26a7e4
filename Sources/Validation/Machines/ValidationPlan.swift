import Experiments
import Harness
import MachineSimulated
import TrialProcesses

/// The checked settings of a comparison between the simulated machine and the live one.
package struct ValidationPlan: Sendable {
  let profile: Profile
  let rows: Int
  /// The number of live runs of each cell.
  let trials: Int
  let workloads: [ValidationWorkload]
  /// The experiments of the live machine, in the order of `workloads`. The experiments in `simulated` have the same
  /// order, and the same workloads and options apart from the warm-up and the time limit.
  let live: [Experiment]
  let simulated: [Experiment]
  /// The user's choices.
  package let request: ValidationRequest

  /// The largest number of rows in the store before the first payload, as on a phone. A run begins with a third of the
  /// number of imported records, but with at most this many.
  private static let largestExistingRows = 3_000
  /// The largest payload, which is the size on a phone and in simulated runs. It leads to many short blocks instead of
  /// a few long ones.
  private static let largestBatchSize = 500

  /// Creates a plan from the user's choices. Missing choices have default values.
  ///
  /// - Throws: `RunFailure` if the profile cannot be read or flags contradict each other.
  package init(_ request: ValidationRequest) throws {
    let name = request.profile ?? ValidationRequest.standardProfile
    profile = try UserInput.profile(named: name)
    rows = request.rows ?? ValidationRequest.standardRows
    trials = request.trials ?? ValidationRequest.standardTrials
    workloads = ValidationWorkload.all
    self.request = request
    var sizes = RunRequest()
    sizes.rows = rows
    sizes.existingRows = .count(min(rows / 3, Self.largestExistingRows))
    sizes.batchSize = min(rows, Self.largestBatchSize)
    sizes.seed = request.seed
    // The live machine uses the settings of the store from the profile's era.
    var era = sizes
    era.connectionPool = profile.era.connectionPool
    era.journalMode = profile.era.journalMode
    era.synchronous = profile.era.synchronous
    era.refreshRate = profile.hardware.refreshRate
    era.trials = trials
    live = try workloads.map { try $0.request.merging(era).experiment() }
    var device = sizes
    device.machine = .simulated
    device.draws = 0
    device.profile = name
    simulated = try workloads.map { try $0.request.merging(device).experiment() }
  }
}
