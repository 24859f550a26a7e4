import Experiments
import Topologies

/// The ways in which a stack is printed.
enum PrintedForm: CaseIterable {
  case plain
  case withSignposts
}

/// The code of a stack with the standard settings, or with some of them changed.
enum PrintedStack {
  /// The known stacks that can be printed.
  static let printable = Topology.known.filter { PrintableShape($0).limit == nil }

  /// The standard settings.
  static let options = WiringCodeOptions(records: .catalog, batchSize: 2_000, hasDeletions: true)

  /// Returns the text of the file.
  static func code(
    of topology: Topology, as form: PrintedForm = .plain, changing change: (inout WiringCodeOptions) -> Void = { _ in }
  ) -> String {
    var options = options
    change(&options)
    let command = "stackbench topologies \(topology.title) --format swift"
    return WiringCode(
      topology: topology, options: options, hasSignposts: form == .withSignposts, command: command
    ).text
  }
}
