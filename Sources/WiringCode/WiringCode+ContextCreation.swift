import Topologies

/// The making of contexts and forms.
extension WiringCode {
  /// Returns the expression that makes a context. The container makes contexts on its coordinator, except for screens.
  static func creation(_ context: ContextDescription) -> String {
    if context.parent == nil, context.coordinator == nil, context.lifetime != .screen {
      return context.queue == .main ? "container.viewContext" : "container.newBackgroundContext()"
    }
    let type = context.queue == .main ? "mainQueueConcurrencyType" : "privateQueueConcurrencyType"
    return "NSManagedObjectContext(concurrencyType: .\(type))"
  }

  /// Returns the statements that give a context its parent or coordinator, its name and its policies.
  func configuring(_ context: ContextDescription) -> [String] {
    var statements: [String] = []
    if let parent = context.parent {
      statements.append("\(context.name).parent = \(parent)")
    } else if let coordinator = context.coordinator {
      statements.append("\(context.name).persistentStoreCoordinator = \(Self.property(ofCoordinator: coordinator))")
    }
    statements.append("Self.configure(\(context.name), named: \"\(context.name)\")")
    if let policy = context.mergePolicy, policy != options.mergePolicy, context.parent == nil {
      statements.append("\(context.name).mergePolicy = \(Self.name(of: policy))")
    }
    if context.retainsRegisteredObjects { statements.append("\(context.name).retainsRegisteredObjects = true") }
    return statements
  }

  /// The function that configures a context. It sets a merge policy on the coordinators' contexts only, because the save
  /// of a child does not check versions. Contexts of several coordinators sign their transactions.
  var configuring: String {
    let author = mergesHistory ? "\n  context.transactionAuthor = name" : ""
    return """
      private nonisolated static func configure(_ context: NSManagedObjectContext, named name: String) {
        context.name = name\(author)
        // An import must not be recorded for undoing.
        context.undoManager = nil
        if context.parent == nil { context.mergePolicy = \(Self.name(of: options.mergePolicy)) }
      }
      """
  }

  /// The constants for the numbers of contexts in arrays.
  var counts: [String] {
    var lines: [String] = []
    if importTakesLane {
      lines += [
        "/// The number of imports that run at the same time, each in its own context.",
        "nonisolated static let importCount = \(options.lanes)",
      ]
    }
    if let pool = keptContexts.first(where: { $0.lifetime == .pool }) {
      lines += ["/// The number of contexts in the pool.", "nonisolated static let poolSize = \(pool.poolSize ?? 1)"]
    }
    return lines
  }

  /// The function that takes a context of the pool, or nil if the import does not use a pool.
  var poolTaking: String? {
    guard importContext.lifetime == .pool else { return nil }
    let contexts = property(importContext)
    return """
      /// Returns the next context of the pool. Its objects are as they were when it was used last.
      private func next\(importContext.name.sentenceCased)() -> NSManagedObjectContext {
        defer { takenCount += 1 }
        return \(contexts)[takenCount % \(contexts).count]
      }
      """
  }
}

// MARK: - Forms

extension WiringCode {
  /// The description of the contexts in which the user edits, or nil if the topology has no forms.
  var form: ContextDescription? { topology.editContext.map(description) }

  /// The context into which a form saves, or nil if it saves to the store.
  var formParent: String? {
    if let form { return form.parent }
    return refetches || uiContext.isConfined ? nil : uiContext.name
  }

  /// Indicates whether a form saves past the UI's context, which then does not save what the form has saved.
  var formsBypassUI: Bool { formParent.map { $0 != uiContext.name } ?? false }

  /// The function that makes the context of a form. `following` is the statement that merges its saves into the UI's
  /// context if that is needed.
  func scratchPad(following: String) -> String {
    let place =
      formParent.map { "context.parent = \($0)" }
      ?? "context.persistentStoreCoordinator = container.persistentStoreCoordinator"
    let isMerged = uiContext.isConfined && formParent == nil
    let note =
      if let parent = formParent {
        "Its save moves the changes up into \(parent): "
          + (formsBypassUI ? "use `saveEdits(in:)` for it." : "call `saveEdits()` after it.")
      } else {
        "Its save goes to the store, and "
          + (isMerged ? "\(uiContext.name) merges it." : "resets of screens do not affect it.")
      }
    return """
      /// Returns a context for a form with a Cancel button. To cancel, release the context.
      ///
      /// \(note)
      func makeScratchPad() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        \(place)
        Self.configure(context, named: "\(form?.name ?? "scratch pad")")\(isMerged ? "\n\(Self.indented(following))" : "")
        return context
      }
      """
  }
}
