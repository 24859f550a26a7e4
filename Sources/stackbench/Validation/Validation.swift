import Harness
import MachineSimulated
import TrialProcesses

/// What one `stackbench validate` compares: plain values, checked.
struct Validation: Sendable {
  let profile: Profile
  let rows: Int
  /// Live runs of each cell.
  let trials: Int
  let workloads: [ValidationWorkload]
  /// In step with `workloads`: the same workload and options for both machines.
  let live: [Experiment]
  let simulated: [Experiment]
  /// An absolute path.
  let output: String
  let scratchParent: String?
  let isJSON: Bool
  let isQuiet: Bool
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
  init(_ flags: ValidationFlags) throws {
    guard !flags.fit else {
      throw RunFailure.usage("--fit: concerns published tables only; add --published all")
    }
    let name = flags.profile ?? ValidationFlags.standardProfile
    profile = try CommandInput.profile(named: name)
    rows = flags.rows ?? ValidationFlags.standardRows
    trials = flags.trials ?? ValidationFlags.standardTrials
    workloads = ValidationWorkload.all
    output = ValidateCommand.absolutePath(flags.output ?? ValidationFlags.standardFolder)
    scratchParent = flags.scratch.map(ValidateCommand.absolutePath)
    isJSON = flags.format == "json"
    isQuiet = flags.quiet
    isByCause = flags.byCause
    repeatLimit = flags.repeatLimit
    isPinned = flags.pin
    var sizes = RunRequest()
    sizes.rows = rows
    sizes.existingRows = min(rows / 3, Self.largestExistingRows)
    sizes.batchSize = min(rows, Self.largestBatchSize)
    sizes.seed = flags.seed
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
