import Harness
import Topologies
import Workloads

/// What one `stackbench run` does: plain values, checked.
struct Experiment: Sendable {
  /// Each once, in the order in which they take turns.
  var topologies: [Topology]
  var workload: WorkloadOptions
  /// Whether the batch size was left to the workload: at most its rows, which a feed alone knows.
  var isBatchSizeStandard: Bool
  /// Whether units were left to be as large as batches.
  var isSaveEveryStandard: Bool
  var options: RunOptions
  /// Of each topology.
  var trials: Int
  var idleSeconds: Int
  /// An absolute path, as the next.
  var output: String
  /// Where the run's private folder is made; nil = in the output folder.
  var scratchParent: String?
  var isQuiet: Bool

  /// The trials in their order: one of each topology, then the next of each, so that a machine that slows down or
  /// speeds up meanwhile does so for all.
  var turns: [Turn] {
    (1...trials).flatMap { trial in topologies.map { Turn(topology: $0, trial: trial) } }
  }

  struct Turn: Sendable {
    var topology: Topology
    /// Counted from 1 within the topology.
    var trial: Int

    /// As messages name it.
    var title: String { "\(topology.title), trial \(trial)" }
  }
}
