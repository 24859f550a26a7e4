import ContextEngine
import MachineCore
import Reporting
import Topologies

// MARK: - Questions about the stack and its settings

extension WiringCode {
  /// The name of the printed class, such as `WorkerMergeNotificationStack` for `worker-merge/notification`.
  var className: String {
    topology.title.split { $0 == "-" || $0 == "/" }.map { String($0).sentenceCased }.joined() + "Stack"
  }

  var ui: ContextDescription { shape.ui }
  var worker: ContextDescription { shape.worker }
  var root: String? { shape.root }

  /// Indicates whether the stack has a root whose saves do not follow each change immediately.
  var putsOffRootSaves: Bool { root != nil && options.run.storeSave != .immediate }

  /// Indicates whether the user of the stack announces the end of the import, on which the saves of the root depend.
  var announcesEnd: Bool { if case .every = options.run.storeSave { false } else { putsOffRootSaves } }

  /// Indicates whether errors can occur in posted work, for which no caller waits.
  var postsWork: Bool { root != nil || shape.refetches || shape.mergesHistory }

  /// Indicates whether each parallel import has its own context, so that an import needs its number.
  var importTakesLane: Bool { isArray(worker) && worker.lifetime == .lane }

  /// Returns true if the stack keeps an array of contexts of this kind: a pool, or one for each parallel import.
  func isArray(_ context: ContextDescription) -> Bool {
    context.lifetime == .pool || (context.lifetime == .lane && options.run.lanes > 1)
  }

  /// Returns the name of the property that holds a context, or the array of contexts of its kind.
  func property(_ context: ContextDescription) -> String { isArray(context) ? "\(context.name)s" : context.name }

  var insertsBatches: Bool { options.run.strategy == .batchInsert }
}

// MARK: - Text

extension WiringCode {
  /// The documentation of the printed class: its summary, its contexts as a picture, and their uses.
  var documentation: Code {
    let picture = topology.contexts.map { context in
      let coordinator = context.coordinator.map { " <- \(PrintableShape.property(ofCoordinator: $0))" } ?? ""
      let queue = context.queue == .main ? "main queue" : "private queue"
      let count =
        context.lifetime == .pool ? "\(context.poolSize ?? 1) in a pool" : "one per \(context.lifetime.rawValue)"
      return "    \(context.parent ?? "store\(coordinator)") <- \(context.name): \(queue), \(count)"
    }
    let uses = topology.uses.map {
      "- \($0.purpose.rawValue): \($0.context). \($0.reason.sentenceCased) (\($0.source))."
    }
    return .comment(
      [topology.summary.sentenceCased + ".", ""] + picture
        + (topology.contexts.contains(where: \.isConfined) ? ["", Self.confinement] : [])
        + (topology.tolerates.isEmpty ? [] : ["", "Known defects of this stack:"] + topology.tolerates.map(sentence))
        + (uses.isEmpty ? [] : ["", "Which context to use:"] + uses), width: 116)
  }

  /// The reason for which contexts that are confined to threads have queues in the code.
  private static let confinement =
    "Before iOS 6 each context was confined to the thread that had made it. Swift cannot name that concurrency type. In "
    + "this file each context has a queue instead, and a call of perform takes the place of a block on its thread. "
    + "The argument -com.apple.CoreData.ConcurrencyDebug 1 stops the app when a context is used anywhere else."

  /// Returns a defect that the topology is expected to show, as a sentence of a list.
  private func sentence(_ defect: Topology.Tolerance) -> String {
    switch defect {
    case .lostEdits: "- An edit of the user can be overwritten by an import that did not have it."
    case .duplicates: "- Two imports that look for a key at the same time both insert it."
    case .staleRows: "- Lists show rows as they were before a save that \(ui.name) does not merge."
    case .outOfOrder: "- A row can keep the values of an earlier payload, because payloads overtake each other."
    case .staleObjects: "- Contexts that are used again hold objects that others have changed or deleted."
    }
  }

  /// Returns a merge policy's name in Core Data.
  static func name(of policy: MergePolicy) -> String {
    // The names of the cases are the ends of Core Data's names.
    let isByProperty = [.storeTrump, .objectTrump].contains(policy)
    return "NSMergePolicy.\(isByProperty ? "mergeByProperty\("\(policy)".sentenceCased)" : "\(policy)")"
  }
}

// MARK: - Statements

extension WiringCode {
  /// Returns the statement that saves a context into its parent's memory or the store, inside an interval if the code
  /// has signposts.
  func saved(_ context: ContextDescription, named name: String? = nil) -> Code {
    measured(context.parent == nil ? .save : .push) { "try \(name ?? context.name).save()" }
  }

  /// Returns the statements that save a context if it has changes. `before` are statements before the save.
  func savedChanges(of context: ContextDescription, named name: String? = nil, before: Code? = nil) -> Code {
    """
    guard \(name ?? context.name).hasChanges else { return }
    \(before)
    \(saved(context, named: name))
    """
  }

  /// Returns the statements with which new objects get permanent IDs before a save pushes them.
  ///
  /// A context gets the permanent IDs of its new objects when it saves to the store itself. Objects that are pushed into
  /// a UI context with a parent, or by it, would keep temporary IDs on the screen permanently, because the parent saves
  /// them. `note` is the end of the comment.
  func permanentIDs(for objects: String, in context: String, note: Code) -> Code? {
    root.map { root in
      """
      // Without this call, \(objects) keep temporary IDs in \(ui.name), because a save of \(root) gives
      // permanent IDs to \(root)'s objects only. \(note)
      try \(context).obtainPermanentIDs(for: Array(\(context).insertedObjects))
      """
    }
  }

  /// Returns statements whose errors no caller receives.
  static func catching(_ statements: Code) -> Code {
    """
    do {
      \(statements)
    } catch {
      didFail(error)
    }
    """
  }

  /// Returns statements that observe a notification until the stack is released. `block` is the rest of its last line.
  static func observed(_ name: String, of object: String, block: Code) -> Code {
    """
    observers.append(
      NotificationCenter.default.addObserver(
        forName: \(name), object: \(object), queue: nil
      ) \(block))
    """
  }
}
