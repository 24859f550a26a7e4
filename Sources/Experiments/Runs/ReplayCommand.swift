import Reporting

/// The command line that simulates a run again with the same results, byte for byte.
struct ReplayCommand {
  let experiment: Experiment
  /// The name of each flag and its value in the run. The value is empty if the setting has no value.
  let flags: [String: String]
  /// The roles of the settings. The command leaves out precautions.
  var roles = SettingTable.standard.roles

  /// The command with its flags in alphabetical order. Words that a shell would split are quoted.
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
