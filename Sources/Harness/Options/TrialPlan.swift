import MachineCore
import Topologies

/// The description of one trial, which its child process reads.
package struct TrialPlan: Codable, Sendable {
  package var topology: Topology
  package var options: RunOptions
  /// The path of the folder of the workload's archive.
  package var archive: String
  /// The path of the closed store with the existing rows. The trial copies it.
  package var baseStore: String
  /// The path of an empty folder for the trial, in which its store is made.
  package var scratch: String
  /// The number of the trial within the topology, counted from 1.
  package var trial: Int
  /// The name of the profile of the simulated machine that runs the trial, or nil for the live machine.
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
