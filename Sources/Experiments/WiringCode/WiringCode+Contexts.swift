import ContextEngine
import Topologies

/// The properties and the initialiser, which hold and make the contexts.
extension WiringCode {
  /// The constants whose values come from the flags of a run, and the numbers of contexts in arrays.
  @CodeBuilder var settings: Code {
    "/// The number of records in one unit, which one block imports and saves."
    "nonisolated static let recordsPerUnit = \(options.run.saveEvery)"
    "/// The number of records to request from the server at a time."
    "nonisolated static let recordsPerPayload = \(options.batchSize)"
    if importTakesLane {
      "/// The number of imports that run at the same time, each in its own context."
      "nonisolated static let importCount = \(options.run.lanes)"
    }
    if let pool = shape.keptContexts.first(where: { $0.lifetime == .pool }) {
      "/// The number of contexts in the pool."
      "nonisolated static let poolSize = \(pool.poolSize ?? 1)"
    }
  }

  /// The stored properties of the class. The contexts are Sendable, and each function names the queue on which it uses
  /// one.
  @CodeBuilder var properties: Code {
    "let container: NSPersistentContainer"
    for coordinator in shape.coordinators { "let \(coordinator): NSPersistentStoreCoordinator" }
    for context in shape.keptContexts {
      let type = isArray(context) ? "[NSManagedObjectContext]" : "NSManagedObjectContext"
      "let \(property(context)): \(type)"
    }
    if worker.lifetime == .pool { "private var takenCount = 0" }
    if shape.mergesHistory { "private let remoteMerges: RemoteMerges" }
    if putsOffRootSaves { "private let rootSaves: RootSaves" }
    if postsWork { "private let didFail: @Sendable (any Error) -> Void" }
    if shape.refetches { "private var screens: [WeakScreen] = []" }
    if observes {
      "/// The deinitialiser is not isolated. It reads this property when no other code can use the stack."
      "private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []"
    }
  }

  /// The members that open the store and make the contexts.
  @CodeBuilder var contextMembers: [Code] {
    opening
    initialiser
    if observes { "deinit {\n  for observer in observers { NotificationCenter.default.removeObserver(observer) }\n}" }
    configuring
    if worker.lifetime == .pool {
      """
      /// Returns the next context of the pool. Its objects are as they were when it was used last.
      private func next\(worker.name.sentenceCased)() -> NSManagedObjectContext {
        defer { takenCount += 1 }
        return \(property(worker))[takenCount % \(property(worker)).count]
      }
      """
    }
    scratchPad
  }

  /// The contexts whose automatic merges the code marks.
  private var markedContexts: [ContextDescription] {
    hasSignposts ? topology.contexts.filter(shape.mergesAutomatically) : []
  }

  /// Indicates whether the class has observers: for merges, or for the events that mark automatic ones.
  private var observes: Bool { !shape.observedMerges.isEmpty || shape.mergesHistory || !markedContexts.isEmpty }

  private var opening: Code {
    let arguments = (["container"] + shape.coordinators).map { "\($0): \($0)" }.joined(separator: ", ")
    return """
      /// Opens the store of the model with this name and returns a stack that uses it.
      static func open(named name: String) async throws -> \(className) {
        let container = NSPersistentContainer(name: name)
        for description in container.persistentStoreDescriptions {
          \(storeOptions)
        }
        // The closure is called once for each store, here once. It is @Sendable because it runs on any thread.
        \(Self.awaited("container.loadPersistentStores"))
        \(shape.coordinators.map(opening))
        return \(className)(\(arguments))
      }
      """
  }

  /// The statements that set the options of a store. One that merges history keeps it, and posts a notification of each
  /// write.
  @CodeBuilder private var storeOptions: Code {
    "description.shouldAddStoreAsynchronously = true"
    for (name, value) in [("journal_mode", options.journalMode), ("synchronous", options.synchronous)] {
      if let value { "description.setValue(\"\(value)\" as NSString, forPragmaNamed: \"\(name)\")" }
    }
    if let pool = options.connectionPool {
      "description.setOption(\(pool) as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)"
    }
    if shape.mergesHistory {
      "description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)"
      "description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)"
    }
  }

  /// Returns the statements that make another coordinator and add the store of the container to it.
  private func opening(coordinator: String) -> Code {
    """
    let \(coordinator) = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
    for description in container.persistentStoreDescriptions {
      \(Self.awaited("\(coordinator).addPersistentStore(with: description)"))
    }
    """
  }

  /// Returns a statement that waits for the end of a call that opens a store.
  private static func awaited(_ call: String) -> Code {
    """
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      \(call) { @Sendable _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
    """
  }

  private var initialiser: Code {
    var parameters = [(name: "container", type: "NSPersistentContainer", note: "A container whose store is open.")]
    parameters += shape.coordinators.map { ($0, "NSPersistentStoreCoordinator", "Another coordinator of that store.") }
    if postsWork {
      parameters.append(
        (
          "didFail", "@escaping @Sendable (any Error) -> Void = { assertionFailure(\"\\($0)\") }",
          "Receives, on any queue, each error for which no caller waits."
        ))
    }
    let declared = parameters.map { "\($0.name): \($0.type)" }.joined(separator: ",\n  ")
    return """
      /// Makes the contexts.
      ///
      \(Code.comment(onParameters: parameters.map { ($0.name, $0.note) }))
      init(\(parameters.count == 1 ? declared : "\n  \(declared)\n")) {
        \(parameters.map { "self.\($0.name) = \($0.name)" })
        \(setUp)
      }
      """
  }

  /// The statements that make the kept contexts, begin their merges, and mark automatic merges.
  @CodeBuilder var setUp: Code {
    shape.keptContexts.map(making)
    if shape.mergesHistory { remoteMergesMaking }
    if putsOffRootSaves, let root { "rootSaves = RootSaves(root: \(root), didFail: didFail)" }
    for merge in shape.observedMerges {
      let call = call(of: merge, source: merge.source.name)
      isArray(merge.source) ? "for \(merge.source.name) in \(property(merge.source)) { \(call) }" : call
    }
    for context in markedContexts {
      "// An automatic merge has an observable end and no observable beginning: an event, not an interval."
      Self.observed(
        "NSManagedObjectContext.didMergeChangesObjectIDsNotification", of: context.name,
        block: "{ _ in Self.signposter.emitEvent(\"merge\") }")
    }
  }

  /// Returns the statements that make and configure one kept context.
  @CodeBuilder private func making(_ context: ContextDescription) -> Code {
    let name = context.name
    if isArray(context) {
      let count = context.lifetime == .pool ? "poolSize" : "importCount"
      "\(property(context)) = (0..<Self.\(count)).map { _ in \(Self.creation(context)) }"
      Code.block("for \(name) in \(property(context))", body: configuring(context), upTo: .max)
    } else {
      "\(name) = \(Self.creation(context))"
      configuring(context)
      if shape.mergesAutomatically(context) { "\(name).automaticallyMergesChangesFromParent = true" }
      if context.queryGeneration == .pinned { Self.pinning(name) }
    }
  }
}

// MARK: - The making of contexts and forms

extension WiringCode {
  /// Returns the statement that pins a context to a query generation.
  private static func pinning(_ name: String) -> Code {
    """
    // The generation is chosen at the first read after this and after each merge. Only a store with a write-ahead log
    // has generations; with any other, this throws and the context reads the newest rows.
    try? \(name).setQueryGenerationFrom(.current)
    """
  }

  /// Returns the expression that makes a context. The container makes contexts on its coordinator, except for screens.
  static func creation(_ context: ContextDescription) -> String {
    if context.parent == nil, context.coordinator == nil, context.lifetime != .screen {
      return context.queue == .main ? "container.viewContext" : "container.newBackgroundContext()"
    }
    let type = context.queue == .main ? "mainQueueConcurrencyType" : "privateQueueConcurrencyType"
    return "NSManagedObjectContext(concurrencyType: .\(type))"
  }

  /// Returns the statements that give a context its parent or coordinator, its name and its policies.
  @CodeBuilder func configuring(_ context: ContextDescription) -> Code {
    let name = context.name
    if let parent = context.parent {
      "\(name).parent = \(parent)"
    } else if let coordinator = context.coordinator {
      "\(name).persistentStoreCoordinator = \(PrintableShape.property(ofCoordinator: coordinator))"
    }
    "Self.configure(\(name), named: \"\(name)\")"
    if let policy = context.mergePolicy, policy != options.run.mergePolicy, context.parent == nil {
      "\(name).mergePolicy = \(Self.name(of: policy))"
    }
    if context.retainsRegisteredObjects { "\(name).retainsRegisteredObjects = true" }
  }

  /// The function that configures a context. It sets a merge policy on the coordinators' contexts only, because the save
  /// of a child does not check versions. Contexts of several coordinators sign their transactions.
  var configuring: Code {
    """
    private nonisolated static func configure(_ context: NSManagedObjectContext, named name: String) {
      context.name = name
      \(shape.mergesHistory ? "context.transactionAuthor = name" : "")
      // An import must not be recorded for undoing.
      context.undoManager = nil
      if context.parent == nil { context.mergePolicy = \(Self.name(of: options.run.mergePolicy)) }
    }
    """
  }

  /// Returns the statements that make a context of the main queue.
  static func makingContext(in parent: String?, named name: String) -> Code {
    """
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.\(parent.map { "parent = \($0)" } ?? "persistentStoreCoordinator = container.persistentStoreCoordinator")
    Self.configure(context, named: "\(name)")
    """
  }

  /// The function that makes the context of a form.
  var scratchPad: Code {
    let isMerged = ui.isConfined && shape.formParent == nil
    let merging = isMerged ? "\n\(shape.observedMerges.first.map { call(of: $0, source: "context") } ?? "")" : ""
    let note =
      if let parent = shape.formParent {
        "Its save moves the changes up into \(parent): "
          + (shape.formsBypassUI ? "use `saveEdits(in:)` for it." : "call `saveEdits()` after it.")
      } else {
        "Its save goes to the store, and "
          + (isMerged ? "\(ui.name) merges it." : "resets of screens do not affect it.")
      }
    return """
      /// Returns a context for a form with a Cancel button. To cancel, release the context.
      ///
      /// \(note)
      func makeScratchPad() -> NSManagedObjectContext {
        \(Self.makingContext(in: shape.formParent, named: shape.form?.name ?? "scratch pad"))\(merging)
        return context
      }
      """
  }
}
