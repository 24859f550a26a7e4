import Reporting
import TrialProcesses

extension RunRequest {
  /// Returns the simulated run with these settings. It draws devices only if the settings contain the number of draws.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that cannot be used in advice, or that contradict each other.
  package func adviceExperiment(_ table: SettingTable = .standard) throws -> Experiment {
    let refused = givenNames.first { name in
      name != RunSettings.all.draws.name && table[name]?.uses.contains(.advice) == false
    }
    if let refused {
      throw RunFailure.usage("--\(refused): not allowed for the simulations of this command; leave it out")
    }
    return try with(\.machine, .simulated).trialExperiment(table)
  }
}
