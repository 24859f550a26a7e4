import ContextEngine
import Topologies

/// The properties and the initialiser, which hold and make the contexts.
extension WiringCode {
  /// The constants whose values come from the flags of a run.
  var settings: String {
    let lines = [
      "/// The number of records in one unit, which one block imports and saves.",
      "nonisolated static let recordsPerUnit = \(options.saveEvery)",
      "/// The number of records to request from the server at a time.",
      "nonisolated static let recordsPerPayload = \(options.batchSize)",
    ]
    return (lines + counts).joined(separator: "\n")
  }

  /// The stored properties of the class. The contexts are Sendable, and each function names the queue on which it uses
  /// one.
  var properties: String {
    var lines = ["let container: NSPersistentContainer"]
    lines += coordinators.map { "let \($0): NSPersistentStoreCoordinator" }
    for context in keptContexts {
      let type = isArray(context) ? "[NSManagedObjectContext]" : "NSManagedObjectContext"
      lines.append("let \(property(context)): \(type)")
    }
    if importContext.lifetime == .pool { lines.append("private var takenCount = 0") }
    if mergesHistory { lines.append("private let remoteMerges: RemoteMerges") }
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
    [
      opening, initialiser, observes ? Self.deinitialiser : nil, configuring,
      poolTaking, scratchPad(following: observedMerges.first.map { call(of: $0, "context") } ?? ""),
    ].compactMap(\.self)
  }

  /// Indicates whether the class has observers: for merges, or for the events that mark automatic ones.
  private var observes: Bool {
    !observedMerges.isEmpty || mergesHistory || (hasSignposts && topology.contexts.contains(where: mergesAutomatically))
  }

  private var opening: String {
    let pragmas = [("journal_mode", options.journalMode), ("synchronous", options.synchronous)].compactMap {
      name, value in
      value.map { "description.setValue(\"\($0)\" as NSString, forPragmaNamed: \"\(name)\")" }
    }
    let pool = options.connectionPool.map {
      "description.setOption(\($0) as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)"
    }
    let options =
      ["description.shouldAddStoreAsynchronously = true"] + pragmas + [pool].compactMap(\.self) + historyOptions
    let arguments = (["container"] + coordinators).map { "\($0): \($0)" }.joined(separator: ", ")
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
      \(coordinators.map { "\(Self.indented(opening(coordinator: $0)))\n" }.joined())  return \(className)(\(arguments))
      }
      """
  }

  /// Returns the statements that make another coordinator and add the store of the container to it.
  private func opening(coordinator: String) -> String {
    """
    let \(coordinator) = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
    for description in container.persistentStoreDescriptions {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        \(coordinator).addPersistentStore(with: description) { @Sendable _, error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
      }
    }
    """
  }

  private var initialiser: String {
    var parameters = [("container", "NSPersistentContainer", "A container whose store is open.")]
    parameters += coordinators.map { ($0, "NSPersistentStoreCoordinator", "Another coordinator of that store.") }
    if postsWork {
      parameters.append(
        (
          "didFail", "@escaping @Sendable (any Error) -> Void = { assertionFailure(\"\\($0)\") }",
          "Receives, on any queue, each error for which no caller waits."
        ))
    }
    let declared = parameters.map { "\($0.0): \($0.1)" }
    let list = declared.count == 1 ? declared[0] : "\n  \(declared.joined(separator: ",\n  "))\n"
    let note =
      parameters.count == 1
      ? "/// - Parameter \(parameters[0].0): \(parameters[0].2)"
      : "/// - Parameters:\n" + parameters.map { "///   - \($0.0): \($0.2)" }.joined(separator: "\n")
    let stored = parameters.map { "self.\($0.0) = \($0.0)" }
    return """
      /// Makes the contexts.
      ///
      \(note)
      init(\(list)) {
      \(Self.indented((stored + setUpStatements).joined(separator: "\n")))
      }
      """
  }

  /// The statements that make the kept contexts and begin their merges.
  var setUpStatements: [String] {
    keptContexts.map(making)
      + (mergesHistory ? [remoteMergesMaking] : [])
      + (putsOffRootSaves ? ["rootSaves = RootSaves(root: \(root ?? ""), didFail: didFail)"] : []) + mergeStatements
  }

  private static let deinitialiser = """
    deinit {
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }
    """

  /// Returns the statements that make and configure one kept context.
  private func making(_ context: ContextDescription) -> String {
    let configured = configuring(context)
    if isArray(context) {
      let loop = "for \(context.name) in \(property(context)) {"
      return "\(property(context)) = (0..<Self.\(countName(context))).map { _ in \(Self.creation(context)) }\n"
        + (configured.count == 1
          ? "\(loop) \(configured[0]) }" : "\(loop)\n\(Self.indented(configured.joined(separator: "\n")))\n}")
    }
    let merging =
      mergesAutomatically(context) ? ["\(context.name).automaticallyMergesChangesFromParent = true"] : []
    return (["\(context.name) = \(Self.creation(context))"] + configured + merging).joined(separator: "\n")
      + Self.pinning(context)
  }
}
