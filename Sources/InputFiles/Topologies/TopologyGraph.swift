import Topologies

/// A picture of a topology in the language of Graphviz.
///
/// Solid arrows lead from a context to where it saves, and dashed arrows show what follows a save or a payload. The text
/// depends on the topology only.
package struct TopologyGraph {
  private let topology: Topology

  package init(_ topology: Topology) {
    self.topology = topology
  }

  /// The text of the graph, with a line break at the end.
  package var text: String {
    let title = "\(topology.title) (\(topology.number))\n\(topology.summary)\n "
    let settings = [
      "graph [\(Self.attributes([("label", title), ("labelloc", "t"), ("rankdir", "BT"), ("nodesep", "0.6"), ("fontname", Self.font)]))]",
      "node [\(Self.attributes([("shape", "box"), ("style", "filled"), ("fontname", Self.font)]))]",
      "edge [\(Self.attributes([("fontname", Self.font), ("fontsize", "11")]))]",
    ]
    let lines = settings + nodes + savingEdges + reactingEdges
    return "digraph \(Self.quoted(topology.title)) {\n" + lines.map { "  \($0)\n" }.joined() + "}\n"
  }

  private static let font = "Helvetica"
  /// The names of the nodes that are not contexts. A context cannot have them, because they are not names.
  package static let store = "the store"
  package static let payload = "a payload"
  /// The words on the node of a payload.
  package static let payloadLabel = "last unit of a payload"
}

// MARK: - Nodes

extension TopologyGraph {
  private var nodes: [String] {
    let store = Self.node(
      Self.store, attributes: [("label", "store"), ("shape", "cylinder"), ("fillcolor", "#e8e8e8")])
    let payload = Self.node(
      Self.payload, attributes: [("label", Self.payloadLabel), ("shape", "note"), ("fillcolor", "#fff6d5")])
    return [store] + topology.contexts.map(node) + (followsPayload ? [payload] : [])
  }

  /// True if something follows the last unit of a payload, so that the graph has a node for it.
  package var followsPayload: Bool { topology.rules.contains { $0.trigger == .payloadImported } }

  /// Returns the lines that describe a context below its name.
  package func lines(on context: ContextDescription) -> [String] {
    var lines = [
      context.queue == .main ? "main queue" : "private queue",
      context.poolSize.map { "\($0) in a pool" } ?? Self.count(context.lifetime),
    ]
    if context.name == topology.uiContext { lines.append("the screens show it") }
    if context.name == topology.importContext { lines.append("the import works in it") }
    if context.name == topology.editContext { lines.append("the user edits in it") }
    if context.firesUpdatedObjectsBeforeMerging { lines.append("realises updated objects before merging") }
    if let policy = context.mergePolicy { lines.append("merge policy \(policy.rawValue)") }
    lines += context.notes
    if topology.importsInSecondProcess, topology.coordinator(of: context.name) == topology.importCoordinator {
      lines.append("in a second process")
    }
    return lines
  }

  private func node(_ context: ContextDescription) -> String {
    Self.node(
      context.name,
      attributes: [
        ("label", ([context.name] + lines(on: context)).joined(separator: "\n")),
        ("fillcolor", context.queue == .main ? "#d5e8ff" : "#ffffff"),
        ("peripheries", context.lifetime == .app ? "1" : "2"),
      ])
  }

  private static func count(_ lifetime: ContextDescription.Lifetime) -> String {
    switch lifetime {
    case .app: "one for the app"
    case .pool: "a pool for the app"
    case .lane, .payload, .screen, .edit: "one for each \(lifetime.rawValue)"
    }
  }
}

// MARK: - Edges

extension TopologyGraph {
  /// An arrow for what follows a save or a payload, from one node to another.
  package struct Reaction {
    package let source: String
    package let target: String
    package let label: String
  }

  /// Returns the words on the arrow from a context to its parent. They include a rule that then saves the parent.
  package func savingLabel(of context: ContextDescription) -> String {
    let isFollowed = context.parent.map(Self.saving(context.name)).map(topology.rules.contains) ?? false
    return isFollowed ? "saves, then \(context.parent ?? "") saves" : "saves"
  }

  private static func saving(_ name: String) -> (String) -> Rule {
    { Rule(trigger: .didSave(name), action: .save($0)) }
  }

  private var savingEdges: [String] {
    topology.contexts.map {
      Self.edge(from: $0.name, to: $0.parent ?? Self.store, attributes: [("label", savingLabel(of: $0))])
    }
  }

  /// The arrows for what follows saves and payloads: first the automatic merges, then the rules in their order.
  package var reactions: [Reaction] {
    topology.contexts.filter(\.automaticallyMergesChanges).map { context in
      Reaction(source: context.parent ?? Self.store, target: context.name, label: "merged automatically")
    } + topology.rules.compactMap(reaction)
  }

  private func reaction(_ rule: Rule) -> Reaction? {
    let source: String
    switch rule.trigger {
    case .didSave(let name): source = name
    case .payloadImported: source = Self.payload
    case .remoteChange: source = Self.store
    }
    switch rule.action {
    case .save(let target):
      let isDrawn = topology.context(named: source)?.parent == target
      return isDrawn ? nil : Reaction(source: source, target: target, label: "then \(target) saves")
    case .merge(let target):
      let isRemote = rule.trigger == .remoteChange
      return Reaction(
        source: source, target: target, label: isRemote ? "its history is merged" : "its saves are merged")
    case .refetchAllScreens:
      return Reaction(source: source, target: topology.uiContext, label: "all screens fetch again")
    case .refetchTouchedScreens:
      return Reaction(source: source, target: topology.uiContext, label: "touched screens fetch again")
    case .refetchOtherScreens:
      return Reaction(source: source, target: topology.uiContext, label: "other touched\nscreens fetch again")
    }
  }

  private var reactingEdges: [String] {
    reactions.map { reaction in
      // The arrow of a payload has an effect on the places of the nodes, so that the payload is below the screens.
      let place = reaction.source == Self.payload ? [] : [("constraint", "false")]
      return Self.edge(
        from: reaction.source, to: reaction.target,
        attributes: [("label", reaction.label), ("style", "dashed"), ("color", "#b04000"), ("fontcolor", "#b04000")]
          + place)
    }
  }
}

// MARK: - Text

extension TopologyGraph {
  private static func node(_ name: String, attributes: [(String, String)]) -> String {
    "\(quoted(name)) [\(self.attributes(attributes))]"
  }

  private static func edge(from source: String, to target: String, attributes: [(String, String)]) -> String {
    // Blanks keep labels away from arrows.
    let padded = attributes.map { $0.0 == "label" ? ($0.0, "  \($0.1)  ") : $0 }
    return "\(quoted(source)) -> \(quoted(target)) [\(self.attributes(padded))]"
  }

  private static func attributes(_ attributes: [(String, String)]) -> String {
    attributes.map { "\($0.0)=\(quoted($0.1))" }.joined(separator: ", ")
  }

  /// Returns a text in double quotes. A line break begins a new, centred line.
  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}
