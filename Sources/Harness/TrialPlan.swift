import MachineCore
import Topologies

/// Everything that one trial needs to know, as its child process reads it.
package struct TrialPlan: Codable, Sendable {
  package var topology: Topology
  package var options: RunOptions
  /// The folder of the workload's archive.
  package var archive: String
  /// The closed store file with the existing rows; the trial copies it.
  package var baseStore: String
  /// A folder of the trial's own, which exists and is empty; its store is made there.
  package var scratch: String
  /// Counted from 1 within the topology.
  package var trial: Int
  /// The profile of the simulated machine that runs the trial; nil = the live machine.
  package var profile: String?

  package init(
    topology: Topology, options: RunOptions, archive: String, baseStore: String, scratch: String, trial: Int,
    profile: String? = nil
  ) {
    self.topology = topology
    self.options = options
    self.archive = archive
    self.baseStore = baseStore
    self.scratch = scratch
    self.trial = trial
    self.profile = profile
  }
}
