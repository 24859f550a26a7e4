import ContextEngine
import Reporting
import Topologies

/// The properties and the initialiser, which hold and make the contexts.
extension CallbackWiringCode {
  /// The constants whose values come from the flags of a run.
  var settings: String {
    let lines = [
      "/// The number of records in one unit, which one block imports and saves.",
      "static let recordsPerUnit = \(options.saveEvery)",
      "/// The number of records to request from the server at a time.",
      "static let recordsPerPayload = \(options.batchSize)",
    ]
    return (lines + counts(keyword: "static")).joined(separator: "\n")
  }

  /// The stored properties. `network` is printed if payloads are decoded on its queue, and `screens` if screens are
  /// fetched again and share a context.
  var properties: String {
    var lines = ["let container: NSPersistentContainer"]
    lines += coordinators.map { "let \($0): NSPersistentStoreCoordinator" }
    for context in keptContexts {
      lines.append(
        "let \(property(context)): \(isArray(context) ? "[NSManagedObjectContext]" : "NSManagedObjectContext")")
    }
    lines += ["/// Receives the errors for which no caller waits.", "var didFail: (Error) -> Void = { _ in }"]
    if isDecodedOnNetworkQueue { lines.append("private let network = DispatchQueue(label: \"network\")") }
    if refetches, !hasContextPerScreen {
      lines += [
        "/// The screens that are shown. Use this property on the main queue only.",
        "private var screens: [Screen] = []",
      ]
    }
    if importContext.lifetime == .pool { lines.append("private var takenCount = 0") }
    if mergesHistory {
      lines += [
        "private let historyReader: NSManagedObjectContext",
        "/// Use this property on the queue of historyReader only.",
        "private var lastToken: NSPersistentHistoryToken?",
      ]
    }
    if observes { lines.append("private var observers: [NSObjectProtocol] = []") }
    return (lines + rootSaveProperties).joined(separator: "\n")
  }

  /// The members that make the contexts and open the store.
  var contextMembers: [String] {
    let following = observation(ofSavesOf: "context", .merge(into: uiContext.name))
    return [
      opening, coordinatorOpening, initialiser, observes ? Self.deinitialiser : nil,
      configuring(keyword: "private static"), payloadContext, poolTaking, scratchPad(following: following),
    ].compactMap(\.self)
  }

  /// Indicates whether the class has observers.
  private var observes: Bool { !observedRules.isEmpty || mergesHistory }

  private var initialiser: String {
    let parameters =
      [("container", "NSPersistentContainer", "A container whose store is open, such as one from `open(named:)`.")]
      + coordinators.map {
        ($0, "NSPersistentStoreCoordinator", "Another coordinator of that store, from `makeCoordinator(beside:)`.")
      }
    let note =
      parameters.count == 1
      ? "/// - Parameter \(parameters[0].0): \(parameters[0].2)"
      : "/// - Parameters:\n" + parameters.map { "///   - \($0.0): \($0.2)" }.joined(separator: "\n")
    let statements =
      parameters.map { "self.\($0.0) = \($0.0)" } + keptContexts.map(making)
      + (mergesHistory ? [historyReading] : []) + observedRules.map(observation)
      + (mergesHistory ? [remoteChangeObservation] : [])
    return """
      \(note)
      init(\(parameters.map { "\($0.0): \($0.1)" }.joined(separator: ", "))) {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }

  /// The deinitialiser of each class that has observers.
  static let deinitialiser = """
    deinit {
      observers.forEach(NotificationCenter.default.removeObserver)
    }
    """

  /// Returns the statements that make and configure one kept context.
  private func making(_ context: ContextDescription) -> String {
    let merging =
      context.automaticallyMergesChanges ? ["\(context.name).automaticallyMergesChangesFromParent = true"] : []
    let configured = configuring(context) + merging
    guard isArray(context) else {
      return (["\(context.name) = \(Self.creation(context))"] + configured).joined(separator: "\n")
        + Self.pinning(context)
    }
    let loop = "for \(context.name) in \(property(context)) {"
    return "\(property(context)) = (0..<Self.\(countName(context))).map { _ in \(Self.creation(context)) }\n"
      + (configured.count == 1
        ? "\(loop) \(configured[0]) }" : "\(loop)\n\(Self.indented(configured.joined(separator: "\n")))\n}")
  }
}

// MARK: - Members

extension CallbackWiringCode {
  private var opening: String {
    let pragmas = [("journal_mode", options.journalMode), ("synchronous", options.synchronous)].compactMap {
      name, value in
      value.map { "description.setValue(\"\($0)\" as NSString, forPragmaNamed: \"\(name)\")" }
    }
    let pool = options.connectionPool.map {
      "description.setOption(\($0) as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)"
    }
    let options =
      ["description.shouldAddStoreAsynchronously = false"] + pragmas + [pool].compactMap(\.self) + historyOptions
    return """
      /// Opens the store of the model with this name. The call blocks until the store is open.
      static func open(named name: String) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: name)
        for description in container.persistentStoreDescriptions {
      \(Self.indented(options.joined(separator: "\n"), by: 4))
        }
        var failure: Error?
        container.loadPersistentStores { _, error in failure = failure ?? error }
        if let failure = failure { throw failure }
        return container
      }
      """
  }

  /// The function that makes another coordinator, or nil if the stack has only the container's.
  private var coordinatorOpening: String? {
    guard !coordinators.isEmpty else { return nil }
    return """
      /// Opens the store of a container by another coordinator. The call blocks until the store is open.
      static func makeCoordinator(beside container: NSPersistentContainer) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: container.managedObjectModel)
        var failure: Error?
        for description in container.persistentStoreDescriptions {
          coordinator.addPersistentStore(with: description) { _, error in failure = failure ?? error }
        }
        if let failure = failure { throw failure }
        return coordinator
      }
      """
  }

  /// The function that makes a payload's context, or nil if the import's context is kept.
  private var payloadContext: String? {
    guard importContext.lifetime == .payload else { return nil }
    let note =
      importContext.parent == nil
      ? ". Release it with the payload."
      : ". Release it with the payload: a child does not get the saves of others."
    let statements =
      ["let \(importContext.name) = \(Self.creation(importContext))"] + configuring(importContext)
      + ["return \(importContext.name)"]
    return """
      /// Returns a new context for a payload\(note)
      private func make\(importContext.name.sentenceCased)() -> NSManagedObjectContext {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }
}
