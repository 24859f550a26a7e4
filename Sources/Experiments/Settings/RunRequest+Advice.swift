import Reporting
import TrialProcesses

extension RunRequest {
  /// Returns the simulated run that the settings ask for; nothing is drawn unless they say so.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that concern no single simulation, or that contradict each
  ///   other.
  package func adviceExperiment(_ table: SettingTable = .standard) throws -> Experiment {
    let refused = givenNames.first { name in
      name != RunSettings.all.draws.name && table[name]?.uses.contains(.advice) == false
    }
    if let refused {
      throw RunFailure.usage("--\(refused): cannot be a flag of what is simulated here; leave it out")
    }
    return try with(\.machine, .simulated).trialExperiment(table)
  }
}
