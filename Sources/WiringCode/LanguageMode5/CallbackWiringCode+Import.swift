import ContextEngine
import Harness
import Reporting
import Topologies

/// The import, payload by payload, with each unit in one block.
extension CallbackWiringCode {
  /// The members of the import. The merge of batches is printed if the import inserts batches and screens share a
  /// context.
  var importMembers: [String] {
    let merging = mergesBatches ? batchMerging : nil
    return [Self.recordType, importingType, payload, unit, insertsBatches ? batchInsert : changes, merging]
      .compactMap(\.self)
  }

  private static let recordType = """
    /// One record of a payload: the values by the names of the attributes.
    typealias Record = [String: Any]
    """

  /// The type whose values an app provides for the import.
  private var importingType: String {
    let key = """

        /// The name of the attribute, and of the member of a record, that identifies an object.
        var key: String
      """
    let update = """

        /// Copies a record's values into its object.
        var update: (NSManagedObject, Record) -> Void
      """
    let deletes = """

        /// Returns true if a record reports that its object has been deleted.
        var deletes: (Record) -> Bool = { _ in false }
      """
    return """
      /// The app's data and how it is imported.
      struct Importing {
        /// The entity of the records' objects.
        var entityName: String\(looksUp ? key : "")
        var decode: (Data) throws -> [Record]\(insertsBatches ? "" : update)\(looksUp ? deletes : "")
      }
      """
  }
}

// MARK: - Payload and unit

extension CallbackWiringCode {
  /// The expression for the context of a payload.
  private var contextForPayload: String {
    if importContext.lifetime == .payload { return "make\(importContext.name.sentenceCased)()" }
    if importContext.lifetime == .pool { return "next\(importContext.name.sentenceCased)()" }
    return importTakesLane ? "\(property(importContext))[lane]" : importContext.name
  }

  private var payload: String {
    let laneParameter = importTakesLane ? ", lane: Int" : ""
    let laneNote = importTakesLane ? "\n///   - lane: The number of the import, from 0." : ""
    let begin = "importUnit(from: 0, of: records, as: importing, in: context, completion)"
    let body =
      isDecodedOnNetworkQueue
      ? """
      network.async { [self] in
        do {
          let records = try importing.decode(data)
          context.perform { [self] in \(begin) }
        } catch {
          completion(error)
        }
      }
      """
      : """
      context.perform { [self] in
        do {
          let records = try importing.decode(data)
          \(begin)
        } catch {
          completion(error)
        }
      }
      """
    let parsingPlace = isDecodedOnNetworkQueue ? "on its own queue" : "in the import's first block"
    return """
      \(Self.comment(["Imports a payload. \(order)"], width: 112))
      ///
      /// - Parameters:
      ///   - data: The payload. It is parsed \(parsingPlace).\(laneNote)
      ///   - completion: Is called after the last unit has been saved, or with the error, on the queue of that work.
      func importPayload(
        _ data: Data, as importing: Importing\(laneParameter), completion: @escaping (Error?) -> Void
      ) {
        let context = \(contextForPayload)
      \(Self.indented(body))
      }
      """
  }

  /// The sentences that say when an app imports its payloads.
  private var order: String {
    if topology.importsAtOnce {
      return
        "This stack imports payloads as they arrive, all at once: they conflict, insert rows twice and overtake each "
        + "other. Wait for `completion` before the next, or use one context for all, to avoid that."
    }
    return (importContext.lifetime == .pool ? "Call it on the main queue. " : "")
      + "Import the next one after `completion` has been called: payloads that wait in a queue delay other work of that "
      + "queue."
  }

  private var unit: String {
    let call = insertsBatches ? "try insert(records[start..<end], as: importing, in: context)" : savedUnit
    return """
      /// Looks up, changes and saves one unit in one block. The block posts the next unit at its end, so that other
      /// blocks of the queue can run in between.
      private func importUnit(
        from start: Int, of records: [Record], as importing: Importing, in context: NSManagedObjectContext,
        _ completion: @escaping (Error?) -> Void
      ) {
        let end = min(start + Self.recordsPerUnit, records.count)
        do {
      \(Self.indented(call, by: 4))
        } catch {
          context.rollback()
          return completion(error)
        }
        guard end == records.count else {
          return context.perform { [self] in
            importUnit(from: end, of: records, as: importing, in: context, completion)
          }
        }
      \(payloadImported.map { Self.indented($0) + "\n" } ?? "")  completion(nil)
      }
      """
  }

  /// The statements that change and save a unit. They try again after a conflict under the `error` policy.
  private var savedUnit: String {
    let change = "try apply(records[start..<end], as: importing, to: context)\n\(unitSave)"
    guard options.mergePolicy == .error, importContext.parent == nil else { return change }
    return """
      for attempt in 1...5 {
        do {
      \(Self.indented(change, by: 4))
          break
        } catch let error as NSError where error.code == NSManagedObjectMergeError && attempt < 5 {
          context.rollback()
          let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
          for conflict in conflicts { context.refresh(conflict.sourceObject, mergeChanges: false) }
        }
      }
      """
  }

  /// The statements that save a unit, and the statements of the rules that no observer carries out.
  private var unitSave: String {
    if importContext.name == topology.savingRoot, options.storeSave != .immediate { return "noteUnsavedChanges()" }
    guard importContext.lifetime == .payload else { return "try context.save()" }
    let posted = topology.rules.compactMap { rule -> String? in
      guard rule.trigger == .didSave(importContext.name), case .save(let target) = rule.action else { return nil }
      return postedSave(of: target)
    }
    return (["try context.save()"] + posted).joined(separator: "\n")
  }

  /// The statement that follows a payload's last unit, or nil if the topology has no rule for it.
  private var payloadImported: String? {
    topology.rules.first { $0.trigger == .payloadImported }.flatMap { rule in
      switch rule.action {
      case .refetchAllScreens: "refetchAll()"
      case .refetchTouchedScreens:
        "NotificationCenter.default.post(name: Screen.imported(importing.entityName), object: self)"
      case .refetchOtherScreens, .merge, .save: nil
      }
    }
  }
}

// MARK: - Changes

extension CallbackWiringCode {
  private var changes: String {
    switch options.lookup {
    case .unit: Self.changesByUnit
    case .record: Self.changesByRecord
    case .none: Self.blindInserts
    }
  }

  private static let signature = """
    private func apply(
      _ records: ArraySlice<Record>, as importing: Importing, to context: NSManagedObjectContext
    ) throws {
    """

  private static let changesByUnit = """
    /// Finds the existing objects by one fetch, inserts the missing ones, and copies the values.
    \(signature)
      let request = NSFetchRequest<NSManagedObject>(entityName: importing.entityName)
      request.predicate = NSPredicate(
        format: "%K IN %@", argumentArray: [importing.key, records.compactMap { $0[importing.key] }])
      var found: [AnyHashable: NSManagedObject] = [:]
      for object in try context.fetch(request) {
        if let key = object.value(forKey: importing.key) as? AnyHashable { found[key] = object }
      }
      for record in records {
        guard let key = record[importing.key] as? AnyHashable else { continue }
        if importing.deletes(record) {
          if let gone = found.removeValue(forKey: key) { context.delete(gone) }
          continue
        }
        let object =
          found[key] ?? NSEntityDescription.insertNewObject(forEntityName: importing.entityName, into: context)
        found[key] = object
        importing.update(object, record)
      }
    }
    """

  private static let changesByRecord = """
    /// Finds each record's object by a separate fetch, inserts it if it does not exist, and copies the values.
    \(signature)
      for record in records {
        guard let key = record[importing.key] else { continue }
        let request = NSFetchRequest<NSManagedObject>(entityName: importing.entityName)
        request.predicate = NSPredicate(format: "%K == %@", argumentArray: [importing.key, key])
        request.fetchLimit = 1
        let found = try context.fetch(request).first
        if importing.deletes(record) {
          if let gone = found { context.delete(gone) }
          continue
        }
        let object =
          found ?? NSEntityDescription.insertNewObject(forEntityName: importing.entityName, into: context)
        importing.update(object, record)
      }
    }
    """

  private static let blindInserts = """
    /// Inserts an object for each record. None of the objects may exist already.
    \(signature)
      for record in records {
        importing.update(
          NSEntityDescription.insertNewObject(forEntityName: importing.entityName, into: context), record)
      }
    }
    """
}

// MARK: - Batch inserts

extension CallbackWiringCode {
  /// Indicates whether the IDs of inserted rows are merged into contexts.
  private var mergesBatches: Bool { insertsBatches && !hasContextPerScreen && !mergesHistory }

  private var batchInsert: String {
    let merge = mergesBatches ? "\n  merge(result?.result as? [NSManagedObjectID] ?? [])" : ""
    let result = mergesBatches ? "let result =" : "_ ="
    let cast = mergesBatches ? " as? NSBatchInsertResult" : ""
    let coordinator = importContext.coordinator.map(Self.property) ?? "container.persistentStoreCoordinator"
    return """
      /// Inserts rows into the store without a context. It makes no objects, sets no links and looks up no keys.
      private func insert(
        _ records: ArraySlice<Record>, as importing: Importing, in context: NSManagedObjectContext
      ) throws {
        let request = NSBatchInsertRequest(entityName: importing.entityName, objects: Array(records))
        request.resultType = .objectIDs
        \(result) try \(coordinator).execute(request, with: context)\(cast)\(merge)
      }
      """
  }

  /// The function that merges inserted rows into the contexts from the coordinator down to the UI context.
  private var batchMerging: String {
    var chain = [uiContext]
    while let parent = chain[0].parent { chain.insert(description(parent), at: 0) }
    let body = chain.reversed().reduce("") { inner, context in
      let merge =
        "NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [\(context.name)])"
      let statements = inner.isEmpty ? merge : "\(merge)\n\(inner)"
      return "\(context.name).perform { [self] in\n\(Self.indented(statements))\n}"
    }
    return """
      /// Merges the inserted rows into each context from the store to the UI, each in a separate block.
      private func merge(_ inserted: [NSManagedObjectID]) {
        let changes = [NSInsertedObjectsKey: inserted]
      \(Self.indented(body))
      }
      """
  }
}
