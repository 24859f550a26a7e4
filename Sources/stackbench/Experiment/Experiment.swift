import Harness
import Topologies
import Workloads

/// What one `stackbench run` does: plain values, checked.
struct Experiment: Codable, Sendable {
  /// Each once, in the order in which they take turns.
  var topologies: [Topology]
  /// nil = on the live machine.
  var simulation: Simulation?
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
  var workload: WorkloadOptions
  /// Whether the batch size was left to the workload: at most its rows, which a feed alone knows.
  var isBatchSizeStandard: Bool
  /// Whether units were left to be as large as batches.
  var isSaveEveryStandard: Bool
  var options: RunOptions
  /// Of each topology.
  var trials: Int
  /// The most repeats of a live trial during which the computer's speed changed.
  var repeatLimit = TrialRepeats.standardLimit
  var idleSeconds: Int
  /// Whether each trial waits for a line on standard input.
  var takesTurns = false
  /// An absolute path, as the next.
  var output: String
  /// True if a result that the output folder holds is moved aside before this one is written.
  var movesEarlierResult = false
  /// True if the trials that have ended are written when the run is interrupted.
  var keepsEndedTrials = false
  /// Where the run's private folder is made; nil = in the output folder.
  var scratchParent: String?
  var isQuiet: Bool

  var machine: MachineKind { simulation == nil ? .live : .simulated }

  /// The trials in their order: one of each topology, then the next of each, so that a machine that slows down or
  /// speeds up meanwhile does so for all; then the draws.
  var turns: [Turn] {
    let measured = (1...trials).flatMap { trial in topologies.map { Turn(topology: $0, trial: trial) } }
    guard draws > 0 else { return measured }
    return measured
      + (firstDraw..<(firstDraw + draws)).flatMap { draw in topologies.map { Turn(topology: $0, trial: 1, draw: draw) }
      }
  }

  var isTraced: Bool { simulation?.isTraced ?? tracesLiveTrials }

  /// Whether a turn is in the trace: of each topology the first trial, on the device of the profile's values.
  func isTraced(_ turn: Turn) -> Bool { isTraced && turn.trial == 1 && turn.draw == nil }

  struct Turn: Sendable {
    var topology: Topology
    /// Counted from 1 within the topology.
    var trial: Int
    /// Which device of the profile's ranges; nil = the one of its values.
    var draw: Int?

    /// As messages name it.
    var title: String { "\(topology.title), \(draw.map { "draw \($0)" } ?? "trial \(trial)")" }
  }
}
