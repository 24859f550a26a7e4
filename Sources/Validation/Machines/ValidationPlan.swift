import Experiments
import Harness
import MachineSimulated
import TrialProcesses

/// A comparison of the simulated machine with the live one, with all its settings: plain values, checked.
package struct ValidationPlan: Sendable {
  let profile: Profile
  let rows: Int
  /// Live runs of each cell.
  let trials: Int
  let workloads: [ValidationWorkload]
  /// In step with `workloads`: the same workload and options for both machines.
  let live: [Experiment]
  let simulated: [Experiment]
  /// The absolute path of the folder of the results, or nil for none.
  package let output: String?
  let scratchParent: String?
  let isJSON: Bool
  let usesColour: Bool
  /// True if the main thread's time is compared cause by cause.
  let isByCause: Bool
  /// The most repeats of one live run.
  let repeatLimit: Int
  /// True if live runs have their main thread bound to one core and all others to the rest.
  let isPinned: Bool

  /// Rows in the store before the first payload: a third of what is imported, at most a phone's.
  private static let largestExistingRows = 3_000
  /// A phone's payloads, and what simulated runs have: many short blocks rather than few long ones.
  private static let largestBatchSize = 500

  /// - Throws: `RunFailure` for a profile that cannot be read and flags that contradict each other.
  package init(_ request: ValidationRequest) throws {
    let name = request.profile ?? ValidationRequest.standardProfile
    profile = try UserInput.profile(named: name)
    rows = request.rows ?? ValidationRequest.standardRows
    trials = request.trials ?? ValidationRequest.standardTrials
    workloads = ValidationWorkload.all
    output = request.output
    scratchParent = request.scratch
    isJSON = request.isJSON
    usesColour = request.usesColour
    isByCause = request.isByCause
    repeatLimit = request.repeatLimit
    isPinned = request.isPinned
    var sizes = RunRequest()
    sizes.rows = rows
    sizes.existingRows = min(rows / 3, Self.largestExistingRows)
    sizes.batchSize = min(rows, Self.largestBatchSize)
    sizes.seed = request.seed
    // The live machine runs the store as the profile says that it does here.
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
