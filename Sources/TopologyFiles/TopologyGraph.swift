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
  private static let store = "the store"
  private static let payload = "a payload"
}

// MARK: - Nodes

extension TopologyGraph {
  private var nodes: [String] {
    let store = Self.node(Self.store, [("label", "store"), ("shape", "cylinder"), ("fillcolor", "#e8e8e8")])
    let followsPayload = topology.rules.contains { $0.trigger == .payloadImported }
    let payload = Self.node(
      Self.payload, [("label", "last unit of a payload"), ("shape", "note"), ("fillcolor", "#fff6d5")])
    return [store] + topology.contexts.map(node) + (followsPayload ? [payload] : [])
  }

  private func node(_ context: ContextDescription) -> String {
    var lines = [
      context.name, context.queue == .main ? "main queue" : "private queue",
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
    return Self.node(
      context.name,
      [
        ("label", lines.joined(separator: "\n")), ("fillcolor", context.queue == .main ? "#d5e8ff" : "#ffffff"),
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
  /// The arrows from contexts to their parents. A rule that then saves the parent is part of the label.
  private var savingEdges: [String] {
    topology.contexts.map { context in
      let parent = context.parent
      let isFollowed = parent.map(Self.saving(context.name)).map(topology.rules.contains) ?? false
      let label = isFollowed ? "saves, then \(parent ?? "") saves" : "saves"
      return Self.edge(context.name, parent ?? Self.store, [("label", label)])
    }
  }

  private static func saving(_ name: String) -> (String) -> Rule {
    { Rule(trigger: .didSave(name), action: .save($0)) }
  }

  private var reactingEdges: [String] {
    topology.contexts.filter(\.automaticallyMergesChanges).map { context in
      Self.reaction(context.parent ?? Self.store, context.name, "merged automatically")
    } + topology.rules.compactMap(edge)
  }

  private func edge(_ rule: Rule) -> String? {
    let source: String
    switch rule.trigger {
    case .didSave(let name): source = name
    case .payloadImported: source = Self.payload
    case .remoteChange: source = Self.store
    }
    switch rule.action {
    case .save(let target):
      let isDrawn = topology.context(named: source)?.parent == target
      return isDrawn ? nil : Self.reaction(source, target, "then \(target) saves")
    case .merge(let target):
      let isRemote = rule.trigger == .remoteChange
      return Self.reaction(source, target, isRemote ? "its history is merged" : "its saves are merged")
    case .refetchAllScreens: return Self.reaction(source, topology.uiContext, "all screens fetch again")
    case .refetchTouchedScreens: return Self.reaction(source, topology.uiContext, "touched screens fetch again")
    case .refetchOtherScreens:
      return Self.reaction(source, topology.uiContext, "other touched\nscreens fetch again")
    }
  }

  private static func reaction(_ source: String, _ target: String, _ label: String) -> String {
    // The arrow of a payload has an effect on the places of the nodes, so that the payload stands below the screens.
    let place = source == payload ? [] : [("constraint", "false")]
    return edge(
      source, target,
      [("label", label), ("style", "dashed"), ("color", "#b04000"), ("fontcolor", "#b04000")] + place)
  }
}

// MARK: - Text

extension TopologyGraph {
  private static func node(_ name: String, _ attributes: [(String, String)]) -> String {
    "\(quoted(name)) [\(self.attributes(attributes))]"
  }

  private static func edge(_ source: String, _ target: String, _ attributes: [(String, String)]) -> String {
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
