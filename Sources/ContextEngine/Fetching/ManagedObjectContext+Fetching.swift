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
    try machine.during(.fetch) { () throws(PersistenceError) -> FetchedObjects in
      if request.fetchBatchSize > 0, parent == nil || !ignoresBatchSizeBelowContext {
        return try fetchBatched(request)
      }
      return FetchedObjects(context: self, entity: request.entity, objects: try fetchObjects(request))
    }
  }

  /// Fetches IDs in the request's order, unsaved changes included. Registers nothing.
  public func fetchObjectIDs(_ request: FetchRequest) throws(PersistenceError) -> [ObjectID] {
    try machine.during(.fetch) { () throws(PersistenceError) -> [ObjectID] in
      if pendingObjects(request).isEmpty { return try objectIDsFromParent(request) }
      return try fetchObjects(request).map(\.objectID)
    }
  }

  private func fetchObjects(_ request: FetchRequest) throws(PersistenceError) -> [ManagedObject] {
    let objects = try objectsFromParent(request)
    let pending = pendingObjects(request)
    if !pending.isEmpty {
      return applyPendingChanges(pending, to: objects, request)
    }
    return objects
  }

  private func objectsFromParent(_ request: FetchRequest) throws(PersistenceError) -> [ManagedObject] {
    if let parent {
      return try parent.performAndWait { () throws(PersistenceError) -> [ManagedObject] in
        let above = try parent.fetchForChild(request)
        // Registered here before the parent's block ends and its own objects may go.
        return registerFaults(above.map(\.objectID))
      }
    }
    let rows = try coordinator.fetch(request.storeRequest())
    return register(rows, of: request.entity, slots: request.slots, asFaults: request.returnsObjectsAsFaults)
  }

  private func fetchForChild(_ request: FetchRequest) throws(PersistenceError) -> [ManagedObject] {
    try machine.during(.fetch) { () throws(PersistenceError) -> [ManagedObject] in try fetchObjects(request) }
  }

  private func objectIDsFromParent(_ request: FetchRequest) throws(PersistenceError) -> [ObjectID] {
    if let parent {
      return try parent.performAndWait { () throws(PersistenceError) -> [ObjectID] in
        try parent.fetchObjectIDs(request)
      }
    }
    return try coordinator.fetchKeys(request.storeRequest())
      .map { ObjectID(entity: request.entity.index, key: $0) }
  }

  private func fetchBatched(_ request: FetchRequest) throws(PersistenceError) -> FetchedObjects {
    let pending = pendingObjects(request)
    guard pending.isEmpty else {
      return FetchedObjects(context: self, entity: request.entity, objects: try fetchObjects(request))
    }
    return FetchedObjects(
      context: self, entity: request.entity, objectIDs: try objectIDsFromParent(request),
      batchSize: request.fetchBatchSize, slots: request.slots)
  }

  /// Registers fetched rows and enters them into the row cache, or, where they are partial, into the objects.
  private func register(
    _ rows: [StoreRow], of entity: EntityDescription, slots: UInt64, asFaults: Bool
  ) -> [ManagedObject] {
    let objects = registerFaults(rows.map { ObjectID(entity: entity.index, key: $0.key) })
    guard slots == Row.allSlots else {
      for (object, row) in zip(objects, rows) where object.isFault { object.snapshot = row.row }
      return objects
    }
    coordinator.rowCache.enter(rows.map { (ObjectID(entity: entity.index, key: $0.key), $0.row) })
    if !asFaults {
      for (object, row) in zip(objects, rows) where object.isFault { object.snapshot = row.row }
    }
    return objects
  }

  /// Reads the rows of one batch: one SELECT by keys. Objects stay faults with their rows in the row cache, or partial.
  func loadBatch(_ objectIDs: [ObjectID], entity: EntityDescription, slots: UInt64) -> [ManagedObject] {
    do throws(PersistenceError) {
      return try machine.during(.fetch) { () throws(PersistenceError) -> [ManagedObject] in
        if let parent {
          return parent.performAndWait { registerFaults(objectIDs.map { parent.object(with: $0).objectID }) }
        }
        let permanent = objectIDs.filter { !$0.isTemporaryID }
        let rows = try coordinator.rows(of: entity, keys: permanent.map(\.key), slots: slots)
        let objects = registerFaults(objectIDs)
        _ = register(rows, of: entity, slots: slots, asFaults: true)
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
    let entity = request.entity.index
    pending.inserted = insertedList.filter { $0.flags.contains(.inserted) && $0.entity.index == entity }
    pending.updated = updatedList.filter { $0.flags.contains(.updated) && $0.entity.index == entity }
    pending.deleted = deletedList.filter { $0.flags.contains(.deleted) && $0.entity.index == entity }
    return pending
  }

  /// Puts the context's own view on what its parent found.
  private func applyPendingChanges(
    _ pending: PendingObjects, to objects: [ManagedObject], _ request: FetchRequest
  ) -> [ManagedObject] {
    let evaluator = PredicateEvaluator(request.predicate)
    // Changed objects are tested and placed anew; all others stand where the parent put them.
    var result = objects.filter { $0.flags.isDisjoint(with: [.deleted, .gone, .updated, .inserted]) }
    let found = Set(objects.map(\.objectID))
    var placed: [ManagedObject] = []
    for object in pending.updated where evaluator.matches(object) { placed.append(object) }
    for object in pending.inserted where evaluator.matches(object) { placed.append(object) }
    guard !placed.isEmpty else { return result }
    guard !request.sortDescriptors.isEmpty else {
      // Without an order, what was there stays where it was.
      let matching = Set(placed.map(\.objectID))
      result = objects.filter {
        $0.flags.isDisjoint(with: [.deleted, .gone, .updated, .inserted]) || matching.contains($0.objectID)
      }
      return result + placed.filter { !found.contains($0.objectID) }
    }
    let order = ObjectOrder(request.sortDescriptors)
    placed.sort(by: order.isOrderedBefore)
    return merge(result, placed, by: order)
  }

  /// Merges two lists that are in order. O(n + m log n) comparisons, so that few of the longer list's faults fire.
  private func merge(_ long: [ManagedObject], _ short: [ManagedObject], by order: ObjectOrder) -> [ManagedObject] {
    var merged: [ManagedObject] = []
    merged.reserveCapacity(long.count + short.count)
    var taken = 0
    for object in short {
      var low = taken
      var high = long.count
      while low < high {
        let middle = (low + high) / 2
        if order.isOrderedBefore(long[middle], object) { low = middle + 1 } else { high = middle }
      }
      merged.append(contentsOf: long[taken..<low])
      merged.append(object)
      taken = low
    }
    merged.append(contentsOf: long[taken...])
    return merged
  }
}
