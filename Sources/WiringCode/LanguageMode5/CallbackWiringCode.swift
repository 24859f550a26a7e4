import Reporting
import Topologies

/// The Swift file of a wiring for the real framework, in the language mode of Swift 5 and with completion handlers.
///
/// The text depends on the values only. Each of its pieces is printed for one part of the topology, such as a context
/// or a rule, or for a flag.
package struct CallbackWiringCode: PrintedWiring {
  let topology: Topology
  let options: WiringCodeOptions
  /// The command that prints the file.
  let command: String

  package init(topology: Topology, options: WiringCodeOptions, command: String) {
    self.topology = topology
    self.options = options
    self.command = command
  }

  /// The text of the file, with a line break at the end. Its members are the settings, properties, contexts, rules,
  /// import and screens, in this order.
  package var text: String {
    let members = [settings, properties] + contextMembers + ruleMembers + importMembers + screenMembers
    return """
      // \(topology.title) (\(topology.number)), printed by:
      //   \(command)

      import CoreData

      \(documentation)
      final class \(className) {
      \(members.map { CallbackWiringCode.indented($0) }.joined(separator: "\n\n"))
      }

      """
  }
}
