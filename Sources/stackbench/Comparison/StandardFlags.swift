import Reporting

/// What flags of `run` come out as where they are not given.
enum StandardFlags {
  /// Of a run on the machine of `manifest`; empty if that is on a profile that this computer does not have.
  static func like(_ manifest: Manifest) -> [String: String] {
    let profile = manifest.profile.map { ["--profile", $0] } ?? []
    guard let experiment = try? PlannedTrial.experiment(["--machine", manifest.machine] + profile) else { return [:] }
    return Results(
      experiment: experiment, workload: experiment.workload, options: experiment.options, fileSystem: "", records: [],
      draws: [], killed: [], start: manifest.startedAt, end: manifest.endedAt
    ).manifest.flags
  }
}
