import ArgumentParser
import Topologies

/// `stackbench topologies`: what `--topology` can name.
struct TopologiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topologies",
    abstract: "Lists the stacks: their ids and variants, how they are wired, and which defects they are known for.",
    usage: """
      stackbench topologies [<id[/variant]>]
      stackbench topologies <id[/variant]> --format swift [<flags of run>]
      """,
    discussion: """
      --format swift prints one stack as a Swift file for the real framework: its contexts, what follows a save, the import \
      in units, the lists, and which context to use for what. These flags of 'stackbench run' change it: \
      \(WiringCodeOptions.flagNames.sorted().map { "--" + $0 }.joined(separator: ", ")). Others are taken and change nothing.
      """)

  private static let later = "comes later"
  private static let formats = ["text", "swift"]

  @Option(
    help: ArgumentHelp("What standard output gets: text or swift. (default: text)", valueName: "text|swift"),
    completion: .list(formats), transform: OptionValue.name(of: formats, later: ["yaml": later, "dot": later]))
  var format = "text"

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "One stack, or one variant of it; with --format swift also flags of 'stackbench run'.", valueName: "id[/variant]"),
    completion: .list(Topology.known.map(\.title)))
  var words: [String] = []

  func run() throws {
    if format == "swift" {
      print(try code(), terminator: "")
    } else {
      print(try text())
    }
  }
}

// MARK: - Code

extension TopologiesCommand {
  /// One wiring as a Swift file.
  func code() throws -> String {
    var words = try RunWords(words)
    guard let name = words.takeOther() else {
      throw CommandFailure.usage(
        "--format swift: prints one stack; name it, as in topologies worker-merge --format swift")
    }
    guard let topology = Topology.named(name) else { throw TopologiesCommand.unknown(name) }
    for flag in ["topology", "merge"] where words.only([flag]) != words.only([]) {
      throw CommandFailure.usage("--\(flag): the stack is \(topology.title) already; leave it out")
    }
    let options = try WiringCodeOptions(words, of: topology)
    let command = words.only(WiringCodeOptions.flagNames)
      .command("stackbench topologies \(topology.title) --format swift")
    return WiringCode(topology: topology, options: options, command: command).text
  }

  private static func unknown(_ name: String) -> CommandFailure {
    .usage("\(name): no such stack; use one of \(TopologyFlags.knownNames)")
  }
}

// MARK: - Text

extension TopologiesCommand {
  func text() throws -> String {
    var words = try RunWords(words)
    let name = words.takeOther()
    if let flag = words.words.first ?? words.others.first {
      throw CommandFailure.usage("\(flag): changes nothing in what is listed; leave it out, or add --format swift")
    }
    let chosen: [Topology]
    if let name {
      chosen = Topology.known.filter { $0.title == name || $0.id == name }
      guard !chosen.isEmpty else {
        throw TopologiesCommand.unknown(name)
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
