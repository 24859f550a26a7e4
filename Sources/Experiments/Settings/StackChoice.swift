import InputFiles
import Topologies

/// A stack, or several, that a user has chosen for a run.
package enum StackChoice: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A stack by its name, the six stacks by the name `all`, or these and their relatives by the name `all+`.
  case named(String)
  /// A stack that the user has described, and the path or the text that it was read from.
  case own(Topology, source: String)

  package init(stringLiteral name: String) { self = .named(name) }

  /// True if the user has described the stack.
  package var isOwn: Bool { if case .own = self { true } else { false } }

  /// The stacks. The list is empty for an unknown name.
  package var topologies: [Topology] {
    switch self {
    case .named(StackNames.all): Topology.all
    case .named(StackNames.allAndRelatives): Topology.all + Topology.relatives
    case .named(let name): Topology.named(name).map { [$0] } ?? []
    case .own(let topology, _): [topology]
    }
  }

  /// The choice as a user writes it: a name, a path or the text of a description.
  package var word: String {
    switch self {
    case .named(let name): name
    case .own(_, let source): source
    }
  }

  /// The choice as an argument that does not depend on files: a name or the text of a description.
  var argument: String {
    switch self {
    case .named(let name): name
    case .own(let topology, _): TopologyWriter(topology).line
    }
  }

  /// The name of the choice in results.
  package var label: String {
    switch self {
    case .named(let name): name
    case .own(let topology, _): topology.title
    }
  }
}
