import ContextEngine
import MachineCore
import Reporting
import Topologies

// MARK: - Questions about the topology

extension WiringCode {
  /// The name of the printed class, such as `WorkerMergeNotificationStack` for `worker-merge/notification`.
  var className: String {
    topology.title.split { $0 == "-" || $0 == "/" }.map { String($0).sentenceCased }.joined()
      + "Stack"
  }

  func description(_ name: String) -> ContextDescription {
    // The rules and roles of a topology name only its own contexts.
    guard let found = topology.contexts.first(where: { $0.name == name }) else {
      fatalError("topology \(topology.title) has no context called \(name)")
    }
    return found
  }

  var uiContext: ContextDescription { description(topology.uiContext) }
  /// The first context that has the name of the import's context.
  var importContext: ContextDescription { description(topology.importContext) }

  /// Indicates whether the topology makes one UI context per screen.
  var hasContextPerScreen: Bool { uiContext.lifetime == .screen }

  /// Indicates whether screens fetch their lists again after an import or a save, instead of following the changes.
  var refetches: Bool {
    topology.rules.contains { rule in
      switch rule.action {
      case .refetchAllScreens, .refetchTouchedScreens, .refetchOtherScreens: true
      case .save, .merge: false
      }
    }
  }

  /// The contexts that are made with the stack and kept.
  var keptContexts: [ContextDescription] {
    topology.contexts.filter { [.app, .lane, .pool].contains($0.lifetime) }
  }

  /// Indicates whether each parallel import has its own context, so that an import needs its number.
  var importTakesLane: Bool { isArray(importContext) && importContext.lifetime == .lane }

  /// Returns true if the stack keeps an array of contexts of this kind: a pool, or one for each parallel import.
  func isArray(_ context: ContextDescription) -> Bool {
    context.lifetime == .pool || (context.lifetime == .lane && options.lanes > 1)
  }

  /// Returns the name of the constant with the number of contexts in an array.
  func countName(_ context: ContextDescription) -> String { context.lifetime == .pool ? "poolSize" : "importCount" }

  /// Returns the name of the property that holds a context, or the array of contexts of its kind.
  func property(_ context: ContextDescription) -> String { isArray(context) ? "\(context.name)s" : context.name }

  var isDecodedOnNetworkQueue: Bool { options.decode == .network }
  var insertsBatches: Bool { options.strategy == .batchInsert }
  var looksUp: Bool { !insertsBatches && options.lookup != .none }
}

// MARK: - Text

extension WiringCode {
  static func indented(_ text: String, by count: Int = 2) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }

  /// Returns the lines of a documentation comment.
  static func comment(_ paragraphs: [String], width: Int = 116) -> String {
    paragraphs.flatMap { paragraph -> [String] in
      guard !paragraph.isEmpty else { return ["///"] }
      // An indented line is part of a picture; a line that begins with a hyphen hangs below its first word.
      guard !paragraph.hasPrefix(" ") else { return ["/// " + paragraph] }
      let hanging = paragraph.hasPrefix("- ") ? 2 : 0
      return WrappedText.lines(paragraph, width: width, hanging: hanging).map { "/// " + $0 }
    }.joined(separator: "\n")
  }

  /// The documentation of the printed class: its summary, its contexts as a picture, and their uses.
  var documentation: String {
    let picture = topology.contexts.map { context in
      let place =
        context.parent ?? (context.coordinator.map { "store <- \(Self.property(ofCoordinator: $0))" } ?? "store")
      let queue = context.queue == .main ? "main queue" : "private queue"
      let count =
        context.lifetime == .pool ? "\(context.poolSize ?? 1) in a pool" : "one per \(context.lifetime.rawValue)"
      return "    \(place) <- \(context.name): \(queue), \(count)"
    }
    let uses = topology.uses.map {
      "- \($0.purpose.rawValue): \($0.context). \($0.reason.sentenceCased) (\($0.source))."
    }
    return Self.comment(
      [topology.summary.sentenceCased + ".", ""] + picture
        + (topology.contexts.contains(where: \.isConfined) ? ["", Self.confinement] : [])
        + (topology.tolerates.isEmpty ? [] : ["", "Known defects of this stack:"] + defects)
        + (uses.isEmpty ? [] : ["", "Which context to use:"] + uses))
  }

  /// The reason for which contexts that are confined to threads have queues in the code.
  private static var confinement: String {
    "Before iOS 6 each context was confined to the thread that had made it. Swift cannot name that concurrency type. In "
      + "this file each context has a queue instead, and a call of perform takes the place of a block on its thread. "
      + "The argument -com.apple.CoreData.ConcurrencyDebug 1 stops the app when a context is used anywhere else."
  }

  /// The defects that the topology is expected to show, each as a sentence of a list.
  private var defects: [String] {
    topology.tolerates.map { defect in
      switch defect {
      case .lostEdits: "- An edit of the user can be overwritten by an import that did not have it."
      case .duplicates: "- Two imports that look for a key at the same time both insert it."
      case .staleRows: "- Lists show rows as they were before a save that \(topology.uiContext) does not merge."
      case .outOfOrder: "- A row can keep the values of an earlier payload, because payloads overtake each other."
      case .staleObjects: "- Contexts that are used again hold objects that others have changed or deleted."
      }
    }
  }

  /// Returns the name of the property that holds a coordinator in addition to the container's.
  static func property(ofCoordinator name: String) -> String { "\(name)Coordinator" }

  /// Returns a merge policy's name in Core Data.
  static func name(of policy: MergePolicy) -> String {
    switch policy {
    case .error: "NSMergePolicy.error"
    case .storeTrump: "NSMergePolicy.mergeByPropertyStoreTrump"
    case .objectTrump: "NSMergePolicy.mergeByPropertyObjectTrump"
    case .overwrite: "NSMergePolicy.overwrite"
    case .rollback: "NSMergePolicy.rollback"
    }
  }

  /// Returns the statement that pins a context to a query generation, or an empty text.
  static func pinning(_ context: ContextDescription) -> String {
    guard context.queryGeneration == .pinned else { return "" }
    return """

      // The generation is chosen at the first read after this and after each merge. Only a store with a write-ahead log
      // has generations; with any other, this throws and the context reads the newest rows.
      try? \(context.name).setQueryGenerationFrom(.current)
      """
  }

  /// Returns the expression of a time interval, which is valid for Dispatch and for `Duration`.
  static func interval(_ span: TimeSpan) -> String {
    let (milliseconds, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest == 0 ? ".milliseconds(\(milliseconds))" : ".nanoseconds(\(span.nanoseconds))"
  }
}
