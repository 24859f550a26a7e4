import ContextEngine
import Topologies

/// The properties and the initialiser, which hold and make the contexts.
extension WiringCode {
  /// The constants whose values come from the flags of a run.
  var settings: String {
    var lines = [
      "/// The number of records in one unit, which one block imports and saves.",
      "nonisolated static let recordsPerUnit = \(options.saveEvery)",
      "/// The number of records to request from the server at a time.",
      "nonisolated static let recordsPerPayload = \(options.batchSize)",
    ]
    if keptContexts.contains(where: isArray) {
      lines += [
        "/// The number of imports that run at the same time, each in its own context.",
        "nonisolated static let importCount = \(options.lanes)",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// The stored properties of the class. The contexts are Sendable, and each function names the queue on which it uses
  /// one.
  var properties: String {
    var lines = ["let container: NSPersistentContainer"]
    for context in keptContexts {
      let type = isArray(context) ? "[NSManagedObjectContext]" : "NSManagedObjectContext"
      lines.append("let \(property(context)): \(type)")
    }
    if putsOffRootSaves { lines.append("private let rootSaves: RootSaves") }
    if postsWork { lines.append("private let didFail: @Sendable (any Error) -> Void") }
    if refetches { lines.append("private var screens: [WeakScreen] = []") }
    if observes {
      lines += [
        "/// The deinitialiser is not isolated. It reads this property when no other code can use the stack.",
        "private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// The members that open the store and make the contexts.
  var contextMembers: [String] {
    [opening, initialiser, observes ? Self.deinitialiser : nil, configuring, scratchPad].compactMap(\.self)
  }

  /// Indicates whether the class has observers: for merges, or for the events that mark automatic ones.
  private var observes: Bool {
    !observedMerges.isEmpty || (hasSignposts && topology.contexts.contains(where: mergesAutomatically))
  }

  private var opening: String {
    let pragmas = [("journal_mode", options.journalMode), ("synchronous", options.synchronous)].compactMap {
      name, value in
      value.map { "description.setValue(\"\($0)\" as NSString, forPragmaNamed: \"\(name)\")" }
    }
    let pool = options.connectionPool.map {
      "description.setOption(\($0) as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)"
    }
    let options = ["description.shouldAddStoreAsynchronously = true"] + pragmas + [pool].compactMap(\.self)
    return """
      /// Opens the store of the model with this name and returns a stack that uses it.
      static func open(named name: String) async throws -> \(className) {
        let container = NSPersistentContainer(name: name)
        for description in container.persistentStoreDescriptions {
      \(Self.indented(options.joined(separator: "\n"), by: 4))
        }
        // The closure is called once for each store, here once. It is @Sendable because it runs on any thread.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          container.loadPersistentStores { @Sendable _, error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
          }
        }
        return \(className)(container: container)
      }
      """
  }

  private var initialiser: String {
    let parameters =
      postsWork
      ? """
      (
        container: NSPersistentContainer,
        didFail: @escaping @Sendable (any Error) -> Void = { assertionFailure("\\($0)") }
      )
      """ : "(container: NSPersistentContainer)"
    let containerNote = "A container whose store is open."
    let note =
      postsWork
      ? """
      /// - Parameters:
      ///   - container: \(containerNote)
      ///   - didFail: Receives, on any queue, each error for which no caller waits.
      """ : "/// - Parameter container: \(containerNote)"
    let stored = ["self.container = container"] + (postsWork ? ["self.didFail = didFail"] : [])
    return """
      /// Makes the contexts.
      ///
      \(note)
      init\(parameters) {
      \(Self.indented((stored + setUpStatements).joined(separator: "\n")))
      }
      """
  }

  /// The statements that make the kept contexts and begin their merges.
  var setUpStatements: [String] {
    keptContexts.map(making)
      + (putsOffRootSaves ? ["rootSaves = RootSaves(root: \(root ?? ""), didFail: didFail)"] : []) + mergeStatements
  }

  private static let deinitialiser = """
    deinit {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
    """

  /// Returns the statements that make and configure one kept context.
  private func making(_ context: ContextDescription) -> String {
    if isArray(context) {
      let configured =
        ["Self.configure(\(context.name), named: \"\(context.name)\")"] + ownMergePolicy(context)
      let loop = "for \(context.name) in \(property(context)) {"
      return "\(property(context)) = (0..<Self.importCount).map { _ in \(Self.creation(context)) }\n"
        + (configured.count == 1
          ? "\(loop) \(configured[0]) }" : "\(loop)\n\(Self.indented(configured.joined(separator: "\n")))\n}")
    }
    let parent = context.parent.map { "\n\(context.name).parent = \($0)" } ?? ""
    return "\(context.name) = \(Self.creation(context))\(parent)\n"
      + "Self.configure(\(context.name), named: \"\(context.name)\")"
      + ownMergePolicy(context).map { "\n\($0)" }.joined()
      + (mergesAutomatically(context) ? "\n\(context.name).automaticallyMergesChangesFromParent = true" : "")
      + Self.pinning(context)
  }

  /// Returns the statement that sets the context's own merge policy, or no statement if it has the policy of all
  /// contexts.
  func ownMergePolicy(_ context: ContextDescription) -> [String] {
    guard let policy = context.mergePolicy, policy != options.mergePolicy, context.parent == nil else { return [] }
    return ["\(context.name).mergePolicy = \(Self.name(of: policy))"]
  }

  /// Returns the expression that makes a context. The container makes contexts on the coordinator, except for screens.
  /// A child gets its parent afterwards.
  static func creation(_ context: ContextDescription) -> String {
    if context.parent == nil, context.lifetime != .screen {
      return context.queue == .main ? "container.viewContext" : "container.newBackgroundContext()"
    }
    let type = context.queue == .main ? "mainQueueConcurrencyType" : "privateQueueConcurrencyType"
    return "NSManagedObjectContext(concurrencyType: .\(type))"
  }

  /// The function that configures a context. It sets a merge policy on the coordinator's contexts only, because the
  /// save of a child does not check versions.
  private var configuring: String {
    """
    private nonisolated static func configure(_ context: NSManagedObjectContext, named name: String) {
      context.name = name
      // An import must not be recorded for undoing.
      context.undoManager = nil
      if context.parent == nil { context.mergePolicy = \(Self.name(of: options.mergePolicy)) }
    }
    """
  }

  private var scratchPad: String {
    let place =
      refetches
      ? "context.persistentStoreCoordinator = container.persistentStoreCoordinator"
      : "context.parent = \(topology.uiContext)"
    let note =
      refetches
      ? "Its save goes to the store, and resets of screens do not affect it."
      : "Its save moves the changes up into \(topology.uiContext): call `saveEdits()` after it."
    return """
      /// Returns a context for a form with a Cancel button. To cancel, release the context.
      ///
      /// \(note)
      func makeScratchPad() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        \(place)
        Self.configure(context, named: "scratch pad")
        return context
      }
      """
  }
}
