import Reporting

/// The command line that simulates a run again, to the byte.
struct ReplayCommand {
  let experiment: Experiment
  /// Every flag with the value that it came out with; empty = not given.
  let flags: [String: String]
  /// The roles of the settings.
  var roles = SettingTable.standard.roles

  /// Flags in the order of their names; what a shell would take apart stands in quotes.
  var text: String {
    let given = flags.filter { !$0.value.isEmpty && roles[$0.key] != .precaution }
    let words = given.sorted { $0.key < $1.key }.flatMap { name, value in
      name == RunSettings.all.topology.name
        ? experiment.topologies.map { "\(SettingFlag.of(\.topology)) \(ShellWord.quoted($0.title))" }
        : ["\(SettingFlag.named(name)) \(ShellWord.quoted(value))"]
    }
    let trace = experiment.simulation?.isTraced == true ? [SettingFlag.of(\.trace)] : []
    return (["stackbench run"] + words + trace).joined(separator: " ")
  }
}
