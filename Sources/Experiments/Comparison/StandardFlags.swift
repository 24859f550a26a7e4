import Reporting

/// The values that the settings of a run have by default.
package enum StandardFlags {
  /// Returns the default values of the settings, by name, for a run on the machine and profile of a manifest.
  ///
  /// The dictionary is empty if this computer does not have the profile.
  package static func like(_ manifest: Manifest) -> [String: String] {
    var request = RunRequest()
    request.machine = MachineKind(rawValue: manifest.machine)
    request.profile = manifest.profile
    guard let experiment = try? request.trialExperiment() else { return [:] }
    return SettingTable.standard.recorded(experiment)
  }
}
