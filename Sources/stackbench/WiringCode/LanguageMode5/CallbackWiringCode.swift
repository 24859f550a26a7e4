import Reporting
import Topologies

/// A wiring as a Swift file for the real framework in the language mode of Swift 5, with completion handlers.
///
/// The text is a pure function of the values. Each of its pieces is printed for one part of the topology: a context, a
/// rule, a flag.
struct CallbackWiringCode: PrintedWiring {
  let topology: Topology
  let options: WiringCodeOptions
  /// The command that prints the file.
  let command: String

  /// The text of the file, with a line break at the end.
  var text: String {
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
