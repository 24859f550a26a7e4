import ArgumentParser
import CommandShell
import Experiments
import InputFiles
import Reporting
import Topologies
import TrialProcesses
import Workloads

/// The command `stackbench topologies`, which lists the stacks, or prints one as a file, a graph or Swift code.
struct TopologiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topologies",
    abstract: "Lists the stacks: their IDs and variants, their wiring, and the defects that they are known for.",
    usage: """
      stackbench topologies [<id[/variant]|file.yaml>]
      stackbench topologies <id[/variant]|file.yaml> --format yaml|dot|svg
      stackbench topologies <id[/variant]|file.yaml> --format swift [--signposts] [<flags of run>]
      """,
    discussion: """
      --format yaml prints one stack as a file with a comment on each key. Give it another id, change it, and use \
      its path in place of a stack's ID in this and other commands. A file is checked when it is read; an error names \
      its line and key.

      --format dot prints one stack as a graph for Graphviz: dot -Tsvg. --format svg prints the picture that a report \
      shows.

      --format swift prints one stack as a Swift file for Core Data: its contexts, the steps after a save, the \
      import in units with the links of the workload, the lists, and the context to use for each purpose. The \
      last ten lines use it. The file compiles in the language mode of Swift 6. --signposts adds intervals for \
      Instruments with the names of the causes and columns of results; docs/on-a-device.md compares them. These \
      flags of 'stackbench run' change the file: \(WiringCodeOptions.settingNames.sorted().map { "--" + $0 }.joined(separator: ", ")). Other flags are accepted without effect.
      """)

  static let formats: [OutputFormat] = [.text, .yaml, .dot, .svg, .swift]

  @Option(formats: formats) var format = OutputFormat.text

  @Flag(help: "With --format swift, mark intervals that Instruments shows.")
  var signposts = false

  @Argument(
    help: ArgumentHelp(
      "One stack, one variant of it, or a file that describes a stack; with --format swift also flags of 'stackbench run'.",
      valueName: "id"),
    completion: .stack)
  var name: String?

  /// The settings of the printed code.
  @OptionGroup var runFlags: RunFlags<SweepSettings>

  @OptionGroup var settingsFile: SettingsFileFlags

  func run() throws {
    StandardOutput.write(try printedText())
  }

  /// Returns the whole text that the command prints.
  ///
  /// - Throws: `RunFailure` with status 64 for a missing or unknown stack, and for flags that contradict each other.
  func printedText() throws -> String {
    switch format {
    case .yaml: TopologyWriter(try stackWithoutFlags()).text(for: "--topology of 'stackbench run'")
    case .dot: TopologyGraph(try stackWithoutFlags()).text
    case .svg: "\(StackPicture(try stackWithoutFlags()).text)\n"
    case .swift: try code()
    default: "\(try text())\n"
    }
  }
}

// MARK: - One stack

extension TopologiesCommand {
  /// Returns the stack to print.
  private func stack() throws -> StackChoice {
    guard let name else {
      throw RunFailure.usage(
        "--format \(format.rawValue): prints one stack; name it, as in topologies worker-merge --format "
          + format.rawValue)
    }
    return try StackNames.stack(name)
  }

  /// Returns the topology to print in a format that has no flags.
  private func stackWithoutFlags() throws -> Topology {
    try refuseFlagsOfCode()
    return try stack().topologies[0]
  }

  /// Checks that no flags are given that concern printed code only.
  private func refuseFlagsOfCode() throws {
    if signposts {
      throw RunFailure.usage("--signposts: concerns printed code only; leave it out, or add --format swift")
    }
    if let flag = runFlags.request.givenNames.first {
      throw RunFailure.usage("--\(flag): changes nothing in what is listed; leave it out, or add --format swift")
    }
  }
}

// MARK: - Code

extension TopologiesCommand {
  /// Returns the wiring of one stack as a Swift file, with the settings of the flags and of the file.
  ///
  /// - Throws: `RunFailure` with status 64 for a missing or unknown stack, for one that cannot be printed, and for flags
  ///   that contradict each other.
  func code() throws -> String {
    try settingsFile.use(with: runFlags.request, accepting: { $0.uses.contains(.printedCode) }, code)
  }

  private func code(_ request: RunRequest) throws -> String {
    try TopologiesCommand.code(of: try stack(), request, hasSignposts: signposts).text
  }

  /// Returns the command that prints a stack as Swift code, or nil if the code cannot have the stack or its records.
  static func codeCommand(for stack: StackChoice, _ request: RunRequest) -> String? {
    try? code(of: stack, request.filtered(WiringCodeOptions.settingNames.contains)).command
  }

  /// Returns the code of a stack with the settings of a request.
  ///
  /// - Throws: `RunFailure` with status 64 for a stack or records that cannot be printed, and for settings that
  ///   contradict each other.
  static func code(of stack: StackChoice, _ request: RunRequest, hasSignposts: Bool = false) throws -> WiringCode {
    let topology = stack.topologies[0].withPoolSize(request.poolSize)
    if let limit = PrintableShape(topology).limit {
      throw RunFailure.usage(
        "--format swift: \(topology.title) cannot be printed: \(limit); use --format text, yaml, dot or svg")
    }
    for flag in request.givenNames where SettingTable.standard[flag]?.section == .stacks {
      throw RunFailure.usage("--\(flag): the stack is \(topology.title) already; leave it out")
    }
    let options = try WiringCodeOptions(request, of: stack)
    var command = "stackbench topologies \(ShellWord.quoted(stack.word)) --format swift"
    if hasSignposts { command += " --signposts" }
    return WiringCode(
      topology: topology, options: options, hasSignposts: hasSignposts,
      command: request.filtered(WiringCodeOptions.settingNames.contains).command(command))
  }
}

// MARK: - Text

extension TopologiesCommand {
  func text() throws -> String {
    try refuseFlagsOfCode()
    guard let name else { return TopologiesCommand.list }
    let variants = Topology.known.filter { $0.id == name }
    return TopologiesCommand.paragraphs(variants.isEmpty ? try stack().topologies : variants)
  }

  /// All stacks and variants: the six, then their relatives.
  private static var list: String {
    let six = Topology.known.filter { !$0.isRelative }
    let relatives = Topology.known.filter(\.isRelative)
    return [paragraphs(six), "Relatives of the six, which --topology all+ adds:", paragraphs(relatives)]
      .joined(separator: "\n\n")
  }

  private static func paragraphs(_ topologies: [Topology]) -> String {
    topologies.map(paragraph).joined(separator: "\n\n")
  }

  private static func paragraph(_ topology: Topology) -> String {
    let isDefault = topology.variant != nil && Topology.named(topology.id) == topology
    var lines = ["\(topology.title) (\(topology.number)\(isDefault ? ", the default variant" : ""))", topology.summary]
    lines += topology.contexts.map { context in
      let queue = context.queue == .main ? "main queue" : "private queue"
      let count = context.poolSize.map { "\($0) in a pool" } ?? "one per \(context.lifetime.rawValue)"
      var line = "\(context.parent ?? "store") ← \(context.name): \(queue), \(count)"
      if context.automaticallyMergesChanges { line += ", merges automatically" }
      if context.firesUpdatedObjectsBeforeMerging { line += ", realises updated objects before it merges" }
      if let policy = context.mergePolicy { line += ", merge policy \(policy.rawValue)" }
      return ([line] + context.notes).joined(separator: ", ")
    }
    lines.append("screens show \(topology.uiContext); the import works in \(topology.importContext)")
    if let form = topology.editContext { lines.append("the user edits in a new \(form), and saves or discards it") }
    lines += topology.rules.map { "\(sentence($0.trigger)): \(action($0))" }
    if topology.decode == .import { lines.append("payloads are parsed inside the import block") }
    if topology.importsAtOnce { lines.append("payloads that have arrived are imported at the same time") }
    if topology.importsInSecondProcess {
      lines.append("the import's coordinator and its contexts are in a second process, on the live machine only")
    }
    if topology.fetchesShownProperties { lines.append("lists fetch only what their cells show") }
    if topology.permanentIDs == .beforeSave { lines.append("each context obtains permanent IDs before it saves") }
    let tolerated = topology.tolerates.map(\.rawValue)
    lines.append("tolerates: \(tolerated.isEmpty ? "nothing" : tolerated.joined(separator: ", "))")
    return lines.joined(separator: "\n  ")
  }

  private static func sentence(_ trigger: Rule.Trigger) -> String {
    switch trigger {
    case .didSave(let context): "after a save of \(context)"
    case .payloadImported: "after a payload's last unit"
    case .remoteChange: "after a write of another coordinator"
    }
  }

  private static func action(_ rule: Rule) -> String {
    switch rule.action {
    case .save(let context): "save \(context)"
    case .merge(let context) where rule.trigger == .remoteChange: "merge the store's history into \(context)"
    case .merge(let context): "merge it into \(context)"
    case .refetchAllScreens: "reset, and fetch again for every screen"
    case .refetchTouchedScreens: "reset and fetch again, for each screen that shows a touched entity"
    case .refetchOtherScreens: "reset and fetch again, for each other screen that shows the entity"
    }
  }
}
