import ArgumentParser
import Topologies

/// `stackbench topologies`: what `--topology` can name.
struct TopologiesCommand: ParsableCommand {
  private static let later = "comes later"

  static let configuration = CommandConfiguration(
    commandName: "topologies",
    abstract: "Lists the stacks: their ids and variants, how they are wired, and which defects they are known for.")

  @Argument(help: ArgumentHelp("One stack, or one variant of it.", valueName: "id[/variant]"))
  var name: String?

  @Option(
    help: ArgumentHelp("What standard output gets: text. (default: text)", valueName: "text"),
    transform: OptionValue.name(of: ["text"], later: ["swift": later, "yaml": later, "dot": later]))
  var format = "text"

  func run() throws {
    print(try text())
  }
}

// MARK: - Text

extension TopologiesCommand {
  func text() throws -> String {
    let chosen: [Topology]
    if let name {
      chosen = Topology.known.filter { $0.title == name || $0.id == name }
      guard !chosen.isEmpty else {
        throw CommandFailure.usage("\(name): no such stack; use one of \(TopologyFlags.knownNames)")
      }
    } else {
      chosen = Topology.known
    }
    return chosen.map(TopologiesCommand.paragraph).joined(separator: "\n\n")
  }

  private static func paragraph(_ topology: Topology) -> String {
    let isDefault = topology.variant != nil && Topology.all.contains { $0.title == topology.title }
    var lines = ["\(topology.title) (\(topology.number)\(isDefault ? ", the default variant" : ""))", topology.summary]
    lines += topology.contexts.map { context in
      let queue = context.queue == .main ? "main queue" : "private queue"
      var line = "\(context.parent ?? "store") ← \(context.name): \(queue), one per \(context.lifetime.rawValue)"
      if context.automaticallyMergesChanges { line += ", merges automatically" }
      if context.firesUpdatedObjectsBeforeMerging { line += ", realises updated objects before it merges" }
      if let policy = context.mergePolicy { line += ", merge policy \(policy.rawValue)" }
      return line
    }
    lines.append("screens show \(topology.uiContext); the import works in \(topology.importContext)")
    lines += topology.rules.map { "\(sentence($0.trigger)): \(sentence($0.action))" }
    let tolerated = topology.tolerates.map(\.rawValue)
    lines.append("tolerates: \(tolerated.isEmpty ? "nothing" : tolerated.joined(separator: ", "))")
    return lines.joined(separator: "\n  ")
  }

  private static func sentence(_ trigger: Rule.Trigger) -> String {
    switch trigger {
    case .didSave(let context): "after a save of \(context)"
    case .payloadImported: "after a payload's last unit"
    }
  }

  private static func sentence(_ action: Rule.Action) -> String {
    switch action {
    case .save(let context): "save \(context)"
    case .merge(let context): "merge it into \(context)"
    case .refetchAllScreens: "reset, and fetch again for every screen"
    case .refetchTouchedScreens: "reset and fetch again, for each screen that shows a touched entity"
    case .refetchOtherScreens: "reset and fetch again, for each other screen that shows the entity"
    }
  }
}
