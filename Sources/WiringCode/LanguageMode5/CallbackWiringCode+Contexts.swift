import ContextEngine
import Reporting
import Topologies

/// The properties and the initialiser, which hold and make the contexts.
extension CallbackWiringCode {
  /// The constants whose values come from the flags of a run.
  var settings: String {
    var lines = [
      "/// The number of records in one unit, which one block imports and saves.",
      "static let recordsPerUnit = \(options.saveEvery)",
      "/// The number of records to request from the server at a time.",
      "static let recordsPerPayload = \(options.batchSize)",
    ]
    if keptContexts.contains(where: isArray) {
      lines += [
        "/// The number of imports that run at the same time, each in its own context.",
        "static let importCount = \(options.lanes)",
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// The stored properties. `network` is printed if payloads are decoded on its queue, and `screens` if screens are
  /// fetched again and share a context.
  var properties: String {
    var lines = ["let container: NSPersistentContainer"]
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
    if !observedRules.isEmpty { lines.append("private var observers: [NSObjectProtocol] = []") }
    return (lines + rootSaveProperties).joined(separator: "\n")
  }

  /// The members that make the contexts and open the store.
  var contextMembers: [String] {
    [opening, initialiser, observedRules.isEmpty ? nil : Self.deinitialiser, configuring, payloadContext, scratchPad]
      .compactMap(\.self)
  }

  private var initialiser: String {
    let statements = ["self.container = container"] + keptContexts.map(making) + observedRules.map(observation)
    return """
      /// - Parameter container: A container whose store is open, such as one from `open(named:)`.
      init(container: NSPersistentContainer) {
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
    if isArray(context) {
      return """
        \(property(context)) = (0..<Self.importCount).map { _ in \(creation(context)) }
        \(property(context)).forEach { Self.configure($0, named: "\(context.name)") }
        """ + policyOfEach(context) + automaticMerging(context)
    }
    let parent = context.parent.map { "\n\(context.name).parent = \($0)" } ?? ""
    return
      "\(context.name) = \(creation(context))\(parent)\nSelf.configure(\(context.name), named: \"\(context.name)\")"
      + ownMergePolicy(context) + automaticMerging(context) + Self.pinning(context)
  }

  /// Returns the expression that makes a context. The container makes contexts on the coordinator, except for screens.
  /// A child gets its parent afterwards.
  private func creation(_ context: ContextDescription) -> String {
    if context.parent == nil, context.lifetime != .screen {
      return context.queue == .main ? "container.viewContext" : "container.newBackgroundContext()"
    }
    let type = context.queue == .main ? "mainQueueConcurrencyType" : "privateQueueConcurrencyType"
    return "NSManagedObjectContext(concurrencyType: .\(type))"
  }

  /// Returns the statement that sets the merge policy of each context in an array, or an empty text.
  private func policyOfEach(_ context: ContextDescription) -> String {
    ownMergePolicy(context).replacing(
      "\n\(context.name).mergePolicy", with: "\n\(property(context)).forEach { $0.mergePolicy")
      + (ownMergePolicy(context).isEmpty ? "" : " }")
  }

  private func ownMergePolicy(_ context: ContextDescription) -> String {
    guard context.parent == nil, let policy = context.mergePolicy, policy != options.mergePolicy else { return "" }
    return "\n\(context.name).mergePolicy = \(Self.name(of: policy))"
  }

  private func automaticMerging(_ context: ContextDescription) -> String {
    context.automaticallyMergesChanges ? "\n\(property(context)).automaticallyMergesChangesFromParent = true" : ""
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
    let options = ["description.shouldAddStoreAsynchronously = false"] + pragmas + [pool].compactMap(\.self)
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

  /// The function that configures a context. It sets a merge policy on the coordinator's contexts only, because the
  /// save of a child does not check versions.
  private var configuring: String {
    """
    private static func configure(_ context: NSManagedObjectContext, named name: String) {
      context.name = name
      // An import must not be recorded for undoing.
      context.undoManager = nil
      if context.parent == nil { context.mergePolicy = \(Self.name(of: options.mergePolicy)) }
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
    let parent = importContext.parent.map { "\n  \(importContext.name).parent = \($0)" } ?? ""
    let policy = Self.indented(ownMergePolicy(importContext))
    return """
      /// Returns a new context for a payload\(note)
      private func make\(importContext.name.sentenceCased)() -> NSManagedObjectContext {
        let \(importContext.name) = \(creation(importContext))\(parent)
        Self.configure(\(importContext.name), named: "\(importContext.name)")\(policy)
        return \(importContext.name)
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
