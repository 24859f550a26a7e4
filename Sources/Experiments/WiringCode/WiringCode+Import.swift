import ContextEngine
import Harness
import Topologies

/// The import, payload by payload, with each unit in one block.
extension WiringCode {
  @CodeBuilder var importMembers: [Code] {
    payload
    if worker.lifetime == .payload {
      let reason = worker.parent == nil ? "" : ": a child does not get the saves of others"
      """
      /// Returns a new context for a payload. Release it with the payload\(reason).
      private func make\(context.sentenceCased)() -> NSManagedObjectContext {
        let \(context) = \(Self.creation(worker))
        \(configuring(worker))
        return \(context)
      }
      """
    }
    unit
    if mergesBatches { batchMerging }
    if !insertsBatches { changeMembers }
    rootSaveMembers
    signpostMembers
  }

  /// The name of the payload's context in the function that imports it.
  private var context: String { worker.name }

  private var payload: Code {
    var parameters = [(declaration: "_ data: Data", label: "data", note: records.payloadNote)]
    if records.areNumbered {
      parameters.append(
        ("from place: Int", "place", "The number of records before the payload, which identifies them."))
    }
    if importTakesLane { parameters.append(("lane: Int", "lane", "The number of the import, from 0.")) }
    let place = decodesFirst ? "off the main thread" : "on \(context)'s queue, before the first unit,"
    let summary = "Imports a payload: parses it \(place) and returns when its last unit \(destination)."
    return """
      \(Code.comment([summary], width: 114))
      ///
      \(Code.comment([order]))
      ///
      \(Code.comment(onParameters: parameters.map { ($0.label, $0.note) }))
      @concurrent
      func importPayload(\(parameters.map(\.declaration).joined(separator: ", "))) async throws {
        \(payloadSignpost)
        \(contextForPayload)
        let records = \(decoding)
        for start in stride(from: 0, to: records.count, by: Self.recordsPerUnit) {
          \(unitOfPayload)
        }
        \(afterPayload)
      }
      """
  }

  /// The advice on the order in which an app imports its payloads.
  private var order: String {
    topology.importsAtOnce
      ? "This stack imports payloads as they arrive, all at once: they conflict, insert rows twice and overtake each "
        + "other. Wait for one before the next, or use one context for all, to avoid that."
      : "Import one payload after the other: payloads that wait in a queue delay other work of that queue."
  }

  /// The end of the printed sentence that says when the import of a payload returns.
  private var destination: String {
    guard let root, context != root || putsOffRootSaves else { return "is in the store" }
    let place = worker.parent == ui.name ? "\(ui.name)'s and \(root)'s memory" : "\(root)'s memory"
    return "is in \(place), before \(root) saves it"
  }

  /// The statement that gets or makes the payload's context, or nil if the context is a property of the class.
  private var contextForPayload: Code? {
    switch worker.lifetime {
    case .payload: "let \(context) = make\(context.sentenceCased)()"
    case .pool: "let \(context) = await next\(context.sentenceCased)()"
    default: isArray(worker) ? "let \(context) = \(property(worker))[lane]" : nil
    }
  }

  /// The call that runs a block on the import's queue. The main queue runs other blocks between two such blocks.
  private var perform: String { "\(context).\(worker.queue == .main ? "perform(schedule: .enqueued)" : "perform")" }

  /// Indicates whether payloads are decoded before the import's context gets them.
  private var decodesFirst: Bool { (options.run.decode ?? topology.decode) == .network }

  private var decoding: Code {
    let decode = measured(.decode) { "try Self.decode(data\(records.areNumbered ? ", from: place" : ""))" }
    return decodesFirst ? decode : .block("try await \(perform)", body: decode, upTo: hasSignposts ? 0 : .max)
  }

  /// The statements that import a unit of a payload.
  @CodeBuilder private var unitOfPayload: Code {
    "let unit = records[start..<min(start + Self.recordsPerUnit, records.count)]"
    if worker.queue == .main { "// The block is enqueued, so that the main queue can draw between units." }
    // A context that is a local constant needs no capture list.
    let captures = contextForPayload == nil ? "[\(context)] in " : ""
    let call: Code = "try await \(perform) { \(captures)try Self.importUnit(unit, in: \(context)) }"
    if mergesBatches {
      "let inserted = \(call)"
      "mergeLater(inserted)"
    } else {
      call
      if !insertsBatches { afterUnit }
    }
  }

  /// The statements that follow the save of a unit and move its changes up to the store, or nil if they are not needed.
  @CodeBuilder private var afterUnit: Code {
    if let parent = shape.importing.dropFirst().first, parent.name != root {
      let place = parent.queue == .main ? "the main thread" : "\(parent.name)'s queue"
      let action = root.map { "pushes them into \($0)" } ?? "saves them, on \(place)"
      """
      // The worker has pushed its changes into \(parent.name). This \(action).
      try await \(parent.name).perform { [\(parent.name)] in
        \(savedChanges(of: parent))
      }
      """
    }
    if root != nil, worker.parent != nil || putsOffRootSaves && context == root { "saveRootLater()" }
  }

  private var afterPayload: Code? {
    guard shape.refetches else { return nil }
    guard shape.hasContextPerScreen else { return "Task { @MainActor in refetchAll() }" }
    let entities = records.mapping.map { Code.array($0.entities.map { SwiftNames.literal($0.name) }) }
    return """
      let touched\(entities.map { ": Set = \($0)" } ?? " = Set(records.map(\\.key.entityName))")
      Task { @MainActor in refetchLater { touched.contains($0.entityName) } }
      """
  }
}

// MARK: - Units

extension WiringCode {
  private var unit: Code {
    let note =
      insertsBatches
      ? "Inserts the rows of one unit into the store without a context. It makes no objects and looks up no keys."
      : "Looks up, changes and saves the objects of one unit, on the context's queue."
    return """
      /// \(note)
      private static func importUnit(
        _ unit: ArraySlice<Record>, in context: NSManagedObjectContext
      ) throws\(mergesBatches ? " -> [NSManagedObjectID]" : "") {
        \(measured(.import) { insertsBatches ? batchInsert : unitBody })
      }
      """
  }

  private var unitBody: Code {
    // A root that saves later does not save the unit.
    let isSaved = context != root || !putsOffRootSaves
    let ids = permanentIDs(
      for: "new objects", in: "context",
      note: "The call reserves keys in the store. Stackbench measures the stack\n// without it.")
    let change: Code = """
      try apply(unit, to: context)
      \(worker.parent == ui.name ? ids : nil)
      \(isSaved ? saved(worker, named: "context") : nil)
      """
    // A rollback would discard earlier units in a root that saves later.
    guard isSaved else { return change }
    if options.run.mergePolicy == .error, worker.parent == nil { return Self.repeated(change) }
    // A rollback is not needed if the context is released with its payload.
    guard worker.lifetime != .payload else { return change }
    return """
      do {
        \(change)
      } catch {
        // The next unit must not save the remaining changes of this one.
        context.rollback()
        throw error
      }
      """
  }

  /// Returns the statements inside a loop that tries again after a conflict.
  private static func repeated(_ change: Code) -> Code {
    """
    for attempt in 1...5 {
      do {
        \(change)
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
  private var mergesBatches: Bool { insertsBatches && !shape.hasContextPerScreen && !shape.mergesHistory }

  @CodeBuilder private var batchInsert: Code {
    let execute = "try context.persistentStoreCoordinator?.execute(request, with: context)"
    """
    let rows = unit.map { $0.attributes.compactMapValues(\\.self) }
    let request = NSBatchInsertRequest(entityName: Record.entityName, objects: rows)
    """
    if mergesBatches {
      """
      request.resultType = .objectIDs
      let result = \(execute) as? NSBatchInsertResult
      return result?.result as? [NSManagedObjectID] ?? []
      """
    } else {
      "_ = \(execute)"
    }
  }

  /// The function that merges inserted rows into the contexts from the coordinator down to the UI context.
  private var batchMerging: Code {
    let body = shape.shown.indices.reduce(nil) { inner, place -> Code? in
      let context = shape.shown[place].name
      let merge = measured(.merge) {
        "NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [\(context)])"
      }
      return """
        \(context).perform { [\(shape.shown[...place].reversed().map(\.name).joined(separator: ", "))] in
          \(merge)
          \(inner)
        }
        """
    }
    return """
      /// Merges the inserted rows into each context from the store to the UI, on the context's queue.
      private func mergeLater(_ inserted: [NSManagedObjectID]) {
        let changes = [NSInsertedObjectsKey: inserted]
        \(body)
      }
      """
  }
}
