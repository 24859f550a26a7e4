import Harness
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// A run with all its settings, as plain values that have been checked.
///
/// A ``RunRequest`` makes one, with the default value of each setting that it does not give.
package struct Experiment: Codable, Sendable {
  /// The stacks in the order in which they take turns. Each appears once.
  package var topologies = Topology.all
  /// The simulated device, or nil for the live machine.
  package var simulation: Simulation?
  /// The name or path of the profile on the command line, or nil if it does not name a profile.
  var profileArgument: String?
  /// The number of additional devices that are drawn from the profile's ranges.
  var draws = 0
  /// The number of the first draw.
  var firstDraw = 1
  /// The time after the start of the trials during which draws may begin, or nil if there is no limit. The first draw
  /// is always simulated.
  var drawBudget: Duration?
  /// True if the run is simulated again to check that its results are the same.
  var checksDeterminism = false
  /// True if trials on the live machine are traced. A simulation has its own setting.
  var tracesLiveTrials = false
  /// The number of places by which simulations are moved along the cores of this computer, which changes no result. If
  /// it is nil, a simulation that runs alone uses the core on which it begins.
  var hostCoreShift: Int?
  package var workload: WorkloadOptions
  /// True if the batch size is the default, which is at most the number of rows. The rows of a feed are counted when it
  /// has been read.
  var isBatchSizeStandard = true
  /// True if the size of a unit is the default, which is the batch size.
  package var isSaveEveryStandard = true
  package var options: RunOptions
  /// The number of trials of each stack.
  var trials: Int
  /// The choice of the number of trials by the speed of the computer, or nil if the number was not chosen in this way.
  var trialChoice: Manifest.TrialChoice?
  /// True if the number of trials is still to be chosen.
  var choosesTrialCount = false
  package static let standardRepeatLimit = 2
  /// The largest number of times that a live trial is repeated because the computer's speed changed during it.
  var repeatLimit = Experiment.standardRepeatLimit
  var idleSeconds = 2
  /// True if each trial waits for a line on standard input.
  package var takesTurns = false
  /// The name of the stack with which the others are compared, or nil if there is none.
  package var reference: String?
  /// The absolute path of the folder for the results.
  package var output = ""
  /// True if a result that the output folder holds is moved aside before this one is written.
  package var movesEarlierResult = false
  /// True if the trials that have ended are written when the run is interrupted.
  package var keepsEndedTrials = false
  /// The absolute path of the folder in which the run's private folder is made, or nil for the output folder.
  package var scratchParent: String?

  var machine: MachineKind { simulation == nil ? .live : .simulated }

  /// The trials in their order: first one trial of each topology, then the next of each, so that changes in the
  /// machine's speed affect all topologies, and then the draws.
  package var scheduledTrials: [ScheduledTrial] {
    let measured = (1...trials).flatMap { trial in topologies.map { ScheduledTrial(topology: $0, trial: trial) } }
    guard draws > 0 else { return measured }
    return measured
      + (firstDraw..<(firstDraw + draws)).flatMap { draw in
        topologies.map { ScheduledTrial(topology: $0, trial: 1, draw: draw) }
      }
  }

  var isTraced: Bool { simulation?.isTraced ?? tracesLiveTrials }

  /// Returns true if a trial is traced. The trace contains the first trial of each topology, on the device with the
  /// profile's own values.
  func isTraced(_ trial: ScheduledTrial) -> Bool { isTraced && trial.trial == 1 && trial.draw == nil }

  package struct ScheduledTrial: Sendable {
    var topology: Topology
    /// The number of the trial among those of the topology, counted from 1.
    var trial: Int
    /// The number of the device that is drawn from the profile's ranges, or nil for the device with the profile's own
    /// values.
    var draw: Int?

    /// The name of the trial in messages.
    var title: String { "\(topology.title), \(draw.map { "draw \($0)" } ?? "trial \(trial)")" }
  }
}

// MARK: - Defaults

extension Experiment {
  static let standardMachine = MachineKind.live
  /// The number of devices that a simulated run draws by default. It is odd, so that the median is the value of a device.
  package static let standardDraws = 21

  /// Makes the run of a machine with all other settings at their defaults.
  ///
  /// - Parameter simulation: The simulated device, or nil for the live machine.
  init(on simulation: Simulation?) {
    self = simulation == nil ? .standardLive : .standardSimulated
    self.simulation = simulation
    if let profile = simulation?.profile { options.adopt(profile) }
  }

  /// The live run with all settings at their defaults.
  ///
  /// Its import is large enough for measured windows of a second and more, and small enough for thirty trials in two
  /// minutes on two busy cores.
  package static let standardLive = Experiment(
    rows: 70_000, existingRows: 10_000, batchSize: 2_000, trials: TrialCount.most, warmup: 1)

  /// The simulated run with all settings at their defaults, except those that its profile sets.
  ///
  /// Its import has a size that is usual on a phone. There is one trial, since another would give the same result.
  static let standardSimulated = {
    var experiment = Experiment(rows: 15_000, existingRows: 3_000, batchSize: 500, trials: 1, warmup: 0)
    experiment.options.timeLimit = .seconds(600)
    return experiment
  }()

  private init(rows: Int, existingRows: ExistingRows, batchSize: Int, trials: Int, warmup: Int) {
    workload = WorkloadOptions(
      workload: .catalog, rows: rows, existingRows: existingRows, batchSize: batchSize, mix: .standard)
    options = RunOptions()
    options.saveEvery = batchSize
    options.warmup = warmup
    self.trials = trials
  }
}

/// The two machines. Their raw values are the names that flags use.
package enum MachineKind: String, CaseIterable, Sendable {
  case live
  case simulated
}
