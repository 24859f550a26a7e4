import Reporting

/// The command line that simulates a run again, to the byte.
struct ReplayCommand {
  let experiment: Experiment
  /// Every flag with the value that it came out with; empty = not given.
  let flags: [String: String]

  /// What a replay leaves to chance: it changes no result.
  private static let withoutMeaning: Set<String> = ["idle-seconds", "repeat-limit", "time-limit"]

  /// Flags in the order of their names; what a shell would take apart stands in quotes.
  var text: String {
    let given = flags.filter { !$0.value.isEmpty && !ReplayCommand.withoutMeaning.contains($0.key) }
    let words = given.sorted { $0.key < $1.key }.flatMap { name, value in
      name == "topology"
        ? experiment.topologies.map { "--topology \(ShellWord.quoted($0.title))" }
        : ["--\(name) \(ShellWord.quoted(value))"]
    }
    let trace = experiment.simulation?.isTraced == true ? ["--trace"] : []
    return (["stackbench run"] + words + trace).joined(separator: " ")
  }
}
