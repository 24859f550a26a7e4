import Reporting

/// What flags come out as where none is given: what stands for those that an older version's results do not know.
enum StandardFlags {
  /// Those of a run on the machine and profile of `manifest`.
  static func like(_ manifest: Manifest) -> [String: String] {
    let profile = manifest.profile.map { ["--profile", $0] } ?? []
    guard let command = try? RunCommand.parse(["--machine", manifest.machine] + profile),
      let experiment = try? command.experiment()
    else { return [:] }
    return Results(
      experiment: experiment, workload: experiment.workload, options: experiment.options, fileSystem: "", records: [],
      draws: [], killed: [], start: manifest.startedAt, end: manifest.endedAt
    ).manifest.flags
  }
}
