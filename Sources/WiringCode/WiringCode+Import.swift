import ContextEngine
import Harness
import Topologies

/// The import, payload by payload, with each unit in one block.
extension WiringCode {
  var importMembers: [String] {
    [payload, payloadContext, unit].compactMap(\.self)
      + (insertsBatches ? batchMembers : changeMembers) + rootSaveMembers + signpostMembers
  }

  /// The name of the payload's context in the function that imports it.
  private var context: String { importContext.name }

  private var payload: String {
    var parameters = [(label: "data", declaration: "_ data: Data", note: records.payloadNote)]
    if records.areNumbered {
      parameters.append(
        ("place", "from place: Int", "The number of records before the payload, which identifies them."))
    }
    if importTakesLane { parameters.append(("lane", "lane: Int", "The number of the import, from 0.")) }
    let note =
      parameters.count == 1
      ? "/// - Parameter data: \(parameters[0].note)"
      : "/// - Parameters:\n" + parameters.map { "///   - \($0.label): \($0.note)" }.joined(separator: "\n")
    let place = isDecodedOnNetworkQueue ? "off the main thread" : "on \(context)'s queue, before the first unit,"
    let body =
      [payloadSignpost, contextForPayload, decoding, units, afterPayload].compactMap(\.self).joined(separator: "\n")
    let summary = "Imports a payload: parses it \(place) and returns when its last unit \(destination)."
    return """
      \(Self.comment([summary], width: 114))
      ///
      \(order)
      ///
      \(note)
      @concurrent
      func importPayload(\(parameters.map(\.declaration).joined(separator: ", "))) async throws {
      \(Self.indented(body))
      }
      """
  }

  /// The comment on the order in which an app imports its payloads.
  private var order: String {
    topology.importsAtOnce
      ? Self.comment(
        [
          "This stack imports payloads as they arrive, all at once: they conflict, insert rows twice and overtake each "
            + "other. Wait for one before the next, or use one context for all, to avoid that."
        ], width: 112)
      : "/// Import one payload after the other: payloads that wait in a queue delay other work of that queue."
  }

  /// The end of the printed sentence that says when the import of a payload returns.
  private var destination: String {
    guard let root, importContext.name != root || putsOffRootSaves else { return "is in the store" }
    let place =
      importContext.parent == uiContext.name ? "\(uiContext.name)'s and \(root)'s memory" : "\(root)'s memory"
    return "is in \(place), before \(root) saves it"
  }

  /// The statement that gets or makes the payload's context, or nil if the context is a property of the class.
  private var contextForPayload: String? {
    if importContext.lifetime == .payload { return "let \(context) = make\(context.sentenceCased)()" }
    if importContext.lifetime == .pool { return "let \(context) = await next\(context.sentenceCased)()" }
    return isArray(importContext) ? "let \(context) = \(property(importContext))[lane]" : nil
  }

  /// The capture list of a block on the import's context. It is empty if the context is a local constant.
  private var captures: String {
    importContext.lifetime == .payload || isArray(importContext) ? "" : "[\(context)] in "
  }

  /// The call that runs a block on the import's queue. The main queue runs other blocks between two such blocks.
  private var perform: String {
    importContext.queue == .main ? "perform(schedule: .enqueued)" : "perform"
  }

  private var decoding: String {
    let decode = measured(.decode, statements: "try Self.decode(data\(records.areNumbered ? ", from: place" : ""))")
    if isDecodedOnNetworkQueue { return "let records = \(decode)" }
    let call = "let records = try await \(context).\(perform)"
    return hasSignposts ? "\(call) {\n\(Self.indented(decode))\n}" : "\(call) { \(decode) }"
  }

  private var units: String {
    let note =
      importContext.queue == .main ? "// The block is enqueued, so that the main queue can draw between units.\n" : ""
    let (first, end) = ("from: 0, to: records.count, by: Self.recordsPerUnit", "start + Self.recordsPerUnit")
    let statements = [
      "let unit = records[start..<min(\(end), records.count)]",
      "\(note)\(mergesBatches ? "let inserted = " : "")try await \(context).\(perform) { "
        + "\(captures)try Self.importUnit(unit, in: \(context)) }",
      mergesBatches ? "mergeLater(inserted)" : insertsBatches ? nil : afterUnit,
    ].compactMap(\.self)
    return "for start in stride(\(first)) {\n\(Self.indented(statements.joined(separator: "\n")))\n}"
  }

  /// The statements that follow the save of a unit and move its changes up to the store, or nil if they are not needed.
  private var afterUnit: String? {
    guard let parent = importContext.parent else {
      return putsOffRootSaves && importContext.name == root ? "saveRootLater()" : nil
    }
    if parent == root { return "saveRootLater()" }
    let save = measured(description(parent).parent == nil ? .save : .push, statements: "try \(parent).save()")
    let block = """
      try await \(parent).perform { [\(parent)] in
        guard \(parent).hasChanges else { return }
      \(Self.indented(save))
      }
      """
    let pushed = "// The worker has pushed its changes into \(parent)."
    guard let root else {
      let place = description(parent).queue == .main ? "the main thread" : "\(parent)'s queue"
      return "\(pushed) This saves them, on \(place).\n\(block)"
    }
    return "\(pushed) This pushes them into \(root).\n\(block)\nsaveRootLater()"
  }

  private var afterPayload: String? {
    topology.rules.first { $0.trigger == .payloadImported }.flatMap { rule in
      switch rule.action {
      case .refetchAllScreens: "Task { @MainActor in refetchAll() }"
      case .refetchTouchedScreens:
        """
        \(touchedEntities)
        Task { @MainActor in refetchLater { touched.contains($0.entityName) } }
        """
      case .refetchOtherScreens, .merge, .save: nil
      }
    }
  }

  /// The statement that lists the entities whose rows a payload changes.
  private var touchedEntities: String {
    guard let mapping = records.mapping else { return "let touched = Set(records.map(\\.key.entityName))" }
    return "let touched: Set = \(RecordCode.array(mapping.entities.map { SwiftNames.literal($0.name) }))"
  }

  /// The function that makes a payload's context, or nil if the import's context is kept.
  private var payloadContext: String? {
    guard importContext.lifetime == .payload else { return nil }
    let note =
      importContext.parent == nil
      ? ". Release it with the payload."
      : ". Release it with the payload: a child does not get the saves of others."
    let statements =
      ["let \(context) = \(Self.creation(importContext))"] + configuring(importContext) + ["return \(context)"]
    return """
      /// Returns a new context for a payload\(note)
      private func make\(context.sentenceCased)() -> NSManagedObjectContext {
      \(Self.indented(statements.joined(separator: "\n")))
      }
      """
  }
}

// MARK: - Units

extension WiringCode {
  private var unit: String {
    let result = mergesBatches ? " -> [NSManagedObjectID]" : ""
    let note =
      insertsBatches
      ? "/// Inserts the rows of one unit into the store without a context. It makes no objects and looks up no keys."
      : "/// Looks up, changes and saves the objects of one unit, on the context's queue."
    return """
      \(note)
      private static func importUnit(
        _ unit: ArraySlice<Record>, in context: NSManagedObjectContext
      ) throws\(result) {
      \(Self.indented(measured(.import, statements: unitBody)))
      }
      """
  }

  private var unitBody: String {
    if insertsBatches { return batchInsert }
    let change = (["try apply(unit, to: context)"] + permanentIDs + [unitSave].compactMap(\.self))
      .joined(separator: "\n")
    // A rollback would discard earlier units in a root that saves later.
    guard unitSave != nil else { return change }
    if options.mergePolicy == .error, importContext.parent == nil { return repeated(change) }
    // A rollback is not needed if the context is released with its payload.
    guard importContext.lifetime != .payload else { return change }
    return """
      do {
      \(Self.indented(change))
      } catch {
        // The next unit must not save the remaining changes of this one.
        context.rollback()
        throw error
      }
      """
  }

  /// The save of a unit, or nil if its context is a root that saves later.
  private var unitSave: String? {
    importContext.name == root && putsOffRootSaves ? nil : saved(importContext, named: "context")
  }

  private var permanentIDs: [String] {
    guard importNeedsPermanentIDs else { return [] }
    return [
      """
      // Without this call, new objects keep temporary IDs in \(topology.uiContext), because a save of \(root ?? "") gives
      // permanent IDs to \(root ?? "")'s objects only. The call reserves keys in the store. Stackbench measures the stack
      // without it.
      try context.obtainPermanentIDs(for: Array(context.insertedObjects))
      """
    ]
  }

  /// Returns the statements inside a loop that tries again after a conflict.
  private func repeated(_ change: String) -> String {
    """
    for attempt in 1...5 {
      do {
    \(Self.indented(change, by: 4))
        return
      } catch let error as NSError where error.code == NSManagedObjectMergeError && attempt < 5 {
        context.rollback()
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
        for conflict in conflicts { context.refresh(conflict.sourceObject, mergeChanges: false) }
      } catch {
        context.rollback()
        throw error
      }
    }
    """
  }
}

// MARK: - Batch inserts

extension WiringCode {
  /// Indicates whether the IDs of inserted rows are merged into contexts.
  private var mergesBatches: Bool { insertsBatches && !hasContextPerScreen && !mergesHistory }

  private var batchInsert: String {
    let execute = "try context.persistentStoreCoordinator?.execute(request, with: context)"
    let request = """
      let rows = unit.map { $0.attributes.compactMapValues(\\.self) }
      let request = NSBatchInsertRequest(entityName: Record.entityName, objects: rows)
      """
    guard mergesBatches else { return "\(request)\n_ = \(execute)" }
    return """
      \(request)
      request.resultType = .objectIDs
      let result = \(execute) as? NSBatchInsertResult
      return result?.result as? [NSManagedObjectID] ?? []
      """
  }

  /// The function that merges inserted rows into the contexts from the coordinator down to the UI context.
  private var batchMembers: [String] {
    guard mergesBatches else { return [] }
    var chain = [uiContext]
    while let parent = chain[0].parent { chain.insert(description(parent), at: 0) }
    let body = chain.reversed().reduce("") { inner, context in
      let merge = measured(
        .merge,
        statements: "NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [\(context.name)])",
        throwing: false)
      let names = chain.drop { $0.name != context.name }.map(\.name).joined(separator: ", ")
      let statements = inner.isEmpty ? merge : "\(merge)\n\(inner)"
      return "\(context.name).perform { [\(names)] in\n\(Self.indented(statements))\n}"
    }
    return [
      """
      /// Merges the inserted rows into each context from the store to the UI, on the context's queue.
      private func mergeLater(_ inserted: [NSManagedObjectID]) {
        let changes = [NSInsertedObjectsKey: inserted]
      \(Self.indented(body))
      }
      """
    ]
  }
}
