import MachineCore

// MARK: - Fetching

extension ManagedObjectContext {
  /// Fetches objects in the request's order, unsaved changes included.
  ///
  /// A context on a coordinator runs one SELECT; one below another context asks that by `performAndWait`, all the way up,
  /// and the SELECT runs on the caller's thread, or the main thread where a main-queue context is on the way. Every level
  /// tests its unsaved objects of the entity against the predicate: O(rows + unsaved objects).
  ///
  /// - Throws: `PersistenceError` with SQLite's error and the statement.
  public func fetch(_ request: FetchRequest) throws(PersistenceError) -> FetchedObjects {
    checkQueue()
    return try machine.during(.fetch) { () throws(PersistenceError) -> FetchedObjects in
      if request.fetchBatchSize > 0, parent == nil || !ignoresBatchSizeBelowContext {
        return try fetchBatched(request, batchSize: request.fetchBatchSize)
      }
      return try fetchWhole(request)
    }
  }

  /// Fetches IDs in the request's order, unsaved changes included. Registers only what it needs to place those.
  public func fetchObjectIDs(_ request: FetchRequest) throws(PersistenceError) -> [ObjectID] {
    checkQueue()
    return try machine.during(.fetch) { () throws(PersistenceError) -> [ObjectID] in
      try fetchBatched(request, batchSize: Self.probeBatchSize).objectIDs
    }
  }

  /// How many rows are read around an object that a fetch of IDs compares with an unsaved one.
  private static var probeBatchSize: Int { 16 }

  private func fetchWhole(_ request: FetchRequest) throws(PersistenceError) -> FetchedObjects {
    let list = FetchedObjects(context: self, entity: request.entity, objects: try objectsFromParent(request))
    applyPendingChanges(to: list, request)
    return list
  }

  private func fetchBatched(_ request: FetchRequest, batchSize: Int) throws(PersistenceError) -> FetchedObjects {
    let list = FetchedObjects(
      context: self, entity: request.entity, objectIDs: try objectIDsFromParent(request), batchSize: batchSize,
      slots: request.slots)
    applyPendingChanges(to: list, request)
    return list
  }
}

// MARK: - Asking the parent

extension ManagedObjectContext {
  private func objectsFromParent(_ request: FetchRequest) throws(PersistenceError) -> [ManagedObject] {
    reportFootprint()
    if let parent {
      return try inParentBlock(of: parent) { () throws(PersistenceError) -> [ManagedObject] in
        let above = try parent.fetchForChild(request)
        // Registered here before the parent's block ends and its own objects may go.
        let objects = registerFaults(above.objectIDs)
        if !request.returnsObjectsAsFaults {
          for object in objects where object.isFault {
            object.snapshot = try parent.rowForChild(object.objectID)
            awakeFromFetch(object)
          }
        }
        return objects
      }
    }
    let rows = try reader.fetch(request.storeRequest())
    return try register(rows, slots: request.slots, asFaults: request.returnsObjectsAsFaults)
  }

  private func fetchForChild(_ request: FetchRequest) throws(PersistenceError) -> FetchedObjects {
    try machine.during(.fetch) { () throws(PersistenceError) -> FetchedObjects in
      var request = request
      // Whole rows: what a child asks for later would be a SELECT an object otherwise.
      request.propertiesToFetch = nil
      let list = try fetchWhole(request)
      share(list.objectIDs)
      return list
    }
  }

  private func objectIDsFromParent(_ request: FetchRequest) throws(PersistenceError) -> [ObjectID] {
    guard let parent else {
      return try reader.fetchObjectIDs(request.storeRequest())
    }
    let above = try parent.performAndWait { () throws(PersistenceError) -> [ObjectID] in
      let objectIDs = try parent.fetchObjectIDs(request)
      parent.share(objectIDs)
      return objectIDs
    }
    guard coordinator.identities.isUsed else { return above }
    return above.map { registeredObject(for: $0)?.objectID ?? $0 }
  }

  private func share(_ objectIDs: [ObjectID]) {
    guard !insertedList.isEmpty else { return }
    for objectID in objectIDs where objectID.isTemporaryID {
      if let object = registry.object(for: objectID) { share(object) }
    }
  }

  /// Registers fetched rows and enters them into the row cache, or, where they are partial, into the objects.
  private func register(
    _ rows: [StoreRow], slots: UInt64, asFaults: Bool
  ) throws(PersistenceError) -> [ManagedObject] {
    let objects = registerFaults(rows.map(\.objectID))
    guard slots == Row.allSlots else {
      for (object, row) in zip(objects, rows) where object.isFault { object.snapshot = row.row }
      return objects
    }
    try reader.enter(rows.map { ($0.objectID, $0.row) })
    if !asFaults {
      for (object, row) in zip(objects, rows) where object.isFault {
        object.snapshot = row.row
        awakeFromFetch(object)
      }
    }
    return objects
  }

  /// Reads the rows of one batch: one SELECT by keys. Objects stay faults with their rows in the row cache, or partial.
  func loadBatch(_ objectIDs: [ObjectID], entity: EntityDescription, slots: UInt64) -> [ManagedObject] {
    do throws(PersistenceError) {
      return try machine.during(.fetch) { () throws(PersistenceError) -> [ManagedObject] in
        if let parent {
          return inParentBlock(of: parent) {
            let above = parent.loadBatch(objectIDs, entity: entity, slots: Row.allSlots)
            return registerFaults(above.map(\.objectID))
          }
        }
        let permanent = objectIDs.filter { !$0.isTemporaryID }
        let rows = try reader.rows(of: entity, keys: permanent.map(\.key), slots: slots)
        let objects = registerFaults(objectIDs)
        _ = try register(rows, slots: slots, asFaults: true)
        return objects
      }
    } catch {
      trapMisuse("a batch of \(entity.name) could not be read: \(error)")
    }
  }
}

// MARK: - Pending changes

extension ManagedObjectContext {
  /// Unsaved objects of the request's entity: new, changed, deleted.
  private struct PendingObjects {
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    var deleted: [ManagedObject] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  private func pendingObjects(_ request: FetchRequest) -> PendingObjects {
    var pending = PendingObjects()
    guard request.includesPendingChanges else { return pending }
    pending.inserted = insertedList.filter { $0.flags.contains(.inserted) && request.covers($0.entity) }
    pending.updated = updatedList.filter { $0.flags.contains(.updated) && request.covers($0.entity) }
    pending.deleted = deletedList.filter { $0.flags.contains(.deleted) && request.covers($0.entity) }
    return pending
  }

  /// Puts the context's own view on what its parent found: changed objects are tested and placed anew, all others stand
  /// where the parent put them. O(n + m log n) for m unsaved objects, so that few of the list's faults fire.
  private func applyPendingChanges(to list: FetchedObjects, _ request: FetchRequest) {
    let pending = pendingObjects(request)
    guard !pending.isEmpty else { return }
    let evaluator = PredicateEvaluator(request.predicate, coordinator.identities)
    countObjectsTested(pending.updated.count + pending.inserted.count)
    var matching = (pending.updated + pending.inserted).filter(evaluator.matches)
    let found = list.positions(of: (pending.updated + pending.inserted + pending.deleted).map(\.objectID))
    guard !request.sortDescriptors.isEmpty else {
      // Without an order, what was there stays where it was.
      let staying = Set(matching.map(\.objectID))
      list.remove(at: found.filter { !staying.contains($0.key) }.values.sorted())
      list.append(matching.filter { found[$0.objectID] == nil })
      return
    }
    list.remove(at: found.values.sorted())
    let order = ObjectOrder(request.sortDescriptors)
    matching.sort(by: order.isOrderedBefore)
    var gap = 0
    list.insert(
      matching.map { object in
        gap = list.gap(for: object, by: order, from: gap)
        return (object, gap)
      })
  }
}
