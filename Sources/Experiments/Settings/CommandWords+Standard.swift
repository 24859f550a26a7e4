import Reporting

extension CommandWords {
  /// The words of this program.
  package static let standard: CommandWords = {
    let settings = RunSettings.all
    return CommandWords(
      run: "stackbench run", compare: "stackbench compare", floors: "stackbench compare --help",
      recordBaseline: "make baseline", json: "--format json", stacks: "--\(settings.topology.name)",
      trials: "--\(settings.trials.name)", settingPrefix: "--")
  }()
}
