import Harness
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// A run with all its settings: plain values, checked.
///
/// A ``RunRequest`` makes one, with the default value of each setting that it does not give.
package struct Experiment: Codable, Sendable {
  /// The stacks, each once, in the order in which they take turns.
  package var topologies = Topology.all
  /// The simulated device, or nil for the live machine.
  package var simulation: Simulation?
  /// The profile as the command line names it.
  var profileArgument: String?
  /// How many more devices are drawn from the profile's ranges.
  var draws = 0
  /// The number of the first of them.
  var firstDraw = 1
  /// How long draws may be begun, or nil as long as there are any. The first is always simulated.
  var drawBudget: Duration?
  /// Whether all is simulated again, to see that nothing differs.
  var checksDeterminism = false
  /// Whether trials on the live machine are traced; a simulation says so itself.
  var tracesLiveTrials = false
  /// By how many places simulations are moved along the cores of this computer, which changes no result; nil = a
  /// simulation that has the computer for itself runs where it happens to begin.
  var hostCoreShift: Int?
  package var workload: WorkloadOptions
  /// True if the batch size is the default: at most the rows, whose number is open until a feed has been read.
  var isBatchSizeStandard = true
  /// True if units are as large as batches by default.
  package var isSaveEveryStandard = true
  package var options: RunOptions
  /// The number of trials of each stack.
  var trials: Int
  /// The speed of the computer that the number of trials was chosen for, or nil if the number was asked for.
  var trialChoice: Manifest.TrialChoice?
  /// True if the number of trials is still to be chosen.
  var choosesTrialCount = false
  /// The most repeats of a live trial during which the computer's speed changed.
  var repeatLimit = TrialRepeats.standardLimit
  var idleSeconds = 2
  /// Whether each trial waits for a line on standard input.
  package var takesTurns = false
  /// The absolute path of the folder of the results.
  package var output = ""
  /// True if a result that the output folder holds is moved aside before this one is written.
  package var movesEarlierResult = false
  /// True if the trials that have ended are written when the run is interrupted.
  package var keepsEndedTrials = false
  /// The absolute path of the folder in which the run's private folder is made, or nil for the output folder.
  package var scratchParent: String?

  var machine: MachineKind { simulation == nil ? .live : .simulated }

  /// The trials in their order: one of each topology, then the next of each, so that a machine that slows down or
  /// speeds up meanwhile does so for all; then the draws.
  package var turns: [Turn] {
    let measured = (1...trials).flatMap { trial in topologies.map { Turn(topology: $0, trial: trial) } }
    guard draws > 0 else { return measured }
    return measured
      + (firstDraw..<(firstDraw + draws)).flatMap { draw in topologies.map { Turn(topology: $0, trial: 1, draw: draw) }
      }
  }

  var isTraced: Bool { simulation?.isTraced ?? tracesLiveTrials }

  /// Whether a turn is in the trace: of each topology the first trial, on the device of the profile's values.
  func isTraced(_ turn: Turn) -> Bool { isTraced && turn.trial == 1 && turn.draw == nil }

  package struct Turn: Sendable {
    var topology: Topology
    /// Counted from 1 within the topology.
    var trial: Int
    /// Which device of the profile's ranges; nil = the one of its values.
    var draw: Int?

    /// As messages name it.
    var title: String { "\(topology.title), \(draw.map { "draw \($0)" } ?? "trial \(trial)")" }
  }
}

// MARK: - Defaults

extension Experiment {
  static let standardMachine = MachineKind.live
  /// The number of devices that a simulated run draws by default.
  package static let standardDraws = 20

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
  /// Its import is large enough for windows of a second and more, and small enough for thirty trials in two minutes on two
  /// busy cores.
  package static let standardLive = Experiment(
    rows: 70_000, existingRows: 10_000, batchSize: 2_000, trials: TrialCount.most, warmup: 1)

  /// The simulated run with all settings at their defaults, except those that its profile sets.
  ///
  /// Its import is a phone's, and there is one trial, since another would be the same.
  static let standardSimulated = {
    var experiment = Experiment(rows: 15_000, existingRows: 3_000, batchSize: 500, trials: 1, warmup: 0)
    experiment.options.timeLimit = .seconds(600)
    return experiment
  }()

  private init(rows: Int, existingRows: Int, batchSize: Int, trials: Int, warmup: Int) {
    workload = WorkloadOptions(
      workload: .catalog, rows: rows, existingRows: existingRows, batchSize: batchSize, mix: .standard)
    options = RunOptions()
    options.saveEvery = batchSize
    options.warmup = warmup
    self.trials = trials
  }
}

/// The two machines, as flags name them.
package enum MachineKind: String, CaseIterable, Sendable {
  case live
  case simulated
}
