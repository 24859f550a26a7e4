import Reporting

/// The values that the settings of a run have by default.
package enum StandardFlags {
  /// Returns the values of a run on the machine of a manifest, or none if this computer does not have its profile.
  package static func like(_ manifest: Manifest) -> [String: String] {
    var request = RunRequest()
    request.machine = MachineKind(rawValue: manifest.machine)
    request.profile = manifest.profile
    guard let experiment = try? request.trialExperiment() else { return [:] }
    return SettingTable.standard.recorded(experiment)
  }
}
