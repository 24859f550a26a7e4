import MachineCore

// MARK: - Fetching

extension ManagedObjectContext {
  /// Fetches objects in the request's order, unsaved changes included.
  ///
  /// A context on a coordinator runs one SELECT. A child context asks its parent by `performAndWait`, and so on up to
  /// the coordinator; the SELECT runs on the caller's thread, or on the main thread if one of these contexts has a main
  /// queue. Every context tests its unsaved objects of the entity against the predicate: O(rows + unsaved objects).
  ///
  /// - Throws: `PersistenceError` with `invalidPredicate` if the request does not fit its entity, or with SQLite's
  ///   error and the statement.
  public func fetch(_ request: FetchRequest) throws(PersistenceError) -> FetchedObjects {
    try fetch(request, keepingRows: false)
  }

  /// Fetches objects as `fetch(_:)` does and, if `keepsRows` is true, keeps the rows by which the store sorted them.
  /// The rows are kept only in a list that comes directly from the store: neither in a batched list nor in that of a
  /// child context.
  func fetch(_ request: FetchRequest, keepingRows keepsRows: Bool) throws(PersistenceError) -> FetchedObjects {
    checkQueue()
    try request.check(coordinator.model)
    reportTally()
    return try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> FetchedObjects in
      machine.account(Work(.fetchBegun))
      defer { reportTally() }
      let isBatched = request.fetchBatchSize > 0 && (parent == nil || !ignoresBatchSizeBelowContext)
      let list =
        isBatched
        ? try fetchBatched(request, range: range(of: request), batchSize: request.fetchBatchSize)
        : try fetchWhole(request, range: range(of: request), keepingRows: keepsRows)
      recorder.add(objectCount: list.count)
      return list
    }
  }

  /// Fetches object IDs in the request's order, unsaved changes included. It registers only the objects that are needed
  /// to place the unsaved ones.
  ///
  /// - Throws: `PersistenceError` with `invalidPredicate` if the request does not fit its entity, or with SQLite's
  ///   error and the statement.
  public func fetchObjectIDs(_ request: FetchRequest) throws(PersistenceError) -> [ObjectID] {
    checkQueue()
    try request.check(coordinator.model)
    return try fetchObjectIDs(request, range: range(of: request))
  }

  private func fetchObjectIDs(_ request: FetchRequest, range: FetchRange) throws(PersistenceError) -> [ObjectID] {
    try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> [ObjectID] in
      machine.account(Work(.fetchBegun))
      let objectIDs = try fetchBatched(request, range: range, batchSize: Self.probeBatchSize).objectIDs
      recorder.add(objectCount: objectIDs.count)
      return objectIDs
    }
  }

  /// Returns the range of the results that the request wants from this context. Core Data documents that nested
  /// requests ignore offsets.
  func range(of request: FetchRequest) -> FetchRange {
    let isOffsetIgnored = parent != nil && ignoresFetchOffsetBelowContext
    return FetchRange(limit: request.fetchLimit, offset: isOffsetIgnored ? 0 : request.fetchOffset)
  }

  /// The number of rows that a fetch of IDs reads at a time when it compares an object with an unsaved one.
  private static var probeBatchSize: Int { 16 }

  private func fetchWhole(
    _ request: FetchRequest, range: FetchRange, keepingRows keepsRows: Bool = false
  ) throws(PersistenceError) -> FetchedObjects {
    let pending = pendingObjects(request)
    let found = try objectsFromParent(request, range: pending.widen(range))
    let list = FetchedObjects(
      context: self, entity: request.entity, objects: found.objects, objectIDs: found.objectIDs)
    if keepsRows { list.keepSortingRows(found.rows) }
    applyPendingChanges(pending, to: list, request: request, range: range)
    if request.shouldRefreshRefetchedObjects { try refresh(list) }
    if !request.relationshipKeyPathsForPrefetching.isEmpty {
      list.prefetched = try prefetch(request.relationshipKeyPathsForPrefetching, of: Array(list))
    }
    return list
  }

  private func fetchBatched(
    _ request: FetchRequest, range: FetchRange, batchSize: Int
  ) throws(PersistenceError) -> FetchedObjects {
    let pending = pendingObjects(request)
    let objectIDs = try objectIDsFromParent(request, range: pending.widen(range))
    let list = FetchedObjects(
      context: self, entity: request.entity, objectIDs: objectIDs, batchSize: batchSize, slots: request.slots)
    applyPendingChanges(pending, to: list, request: request, range: range)
    return list
  }

  /// Brings the objects that are already realised to the parent's current state and keeps their local changes.
  private func refresh(_ list: FetchedObjects) throws(PersistenceError) {
    for object in list where !object.isFault && !object.isInserted && !object.isDeleted {
      try refreshValues(of: object)
    }
  }
}

// MARK: - Asking the parent

extension ManagedObjectContext {
  /// The objects that a context's parent, or the store, has found.
  private struct Found {
    let objects: [ManagedObject]
    /// The IDs, parallel to the objects.
    let objectIDs: [ObjectID]
    /// The rows, parallel to the objects, or an empty array if the store has sent none.
    var rows: [StoreRow] = []

    init(_ objects: [ManagedObject]) {
      self.objects = objects
      objectIDs = objects.heldObjectIDs
    }

    init(_ objects: [ManagedObject], objectIDs: [ObjectID], rows: [StoreRow]) {
      self.objects = objects
      self.objectIDs = objectIDs
      self.rows = rows
    }
  }

  private func objectsFromParent(_ request: FetchRequest, range: FetchRange) throws(PersistenceError) -> Found {
    reportFootprint()
    if let parent {
      return try inParentBlock(of: parent) { () throws(PersistenceError) -> Found in
        let above = try parent.fetchForChild(request, range: range)
        // The objects are registered here before the parent's block ends, as the parent may release its own then.
        let objects = registerFaults(above.objectIDs)
        if !request.returnsObjectsAsFaults {
          for object in objects where object.isFault {
            object.snapshot = try parent.rowForChild(object.objectID)
            awakeFromFetch(object)
          }
        }
        return Found(objects)
      }
    }
    guard request.includesPropertyValues else {
      return Found(registerFaults(try reader.fetchObjectIDs(request.storeRequest(range))))
    }
    let rows = try reader.fetch(request.storeRequest(range))
    let objectIDs = rows.map(\.objectID)
    let objects = try register(
      rows, objectIDs: objectIDs, slots: request.slots, asFaults: request.returnsObjectsAsFaults)
    // The context may use other IDs for the objects than those of their rows.
    return Found(objects, objectIDs: coordinator.identities.isUsed ? objects.heldObjectIDs : objectIDs, rows: rows)
  }

  private func fetchForChild(
    _ request: FetchRequest, range: FetchRange
  ) throws(PersistenceError) -> FetchedObjects {
    try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> FetchedObjects in
      machine.account(Work(.fetchBegun))
      defer { reportTally() }
      var request = request
      // Whole rows are fetched, because each property that a child accesses later would otherwise cost a SELECT per
      // object.
      request.propertiesToFetch = nil
      // The child prefetches itself, and registers the related objects while this context still has them.
      request.relationshipKeyPathsForPrefetching = []
      let list = try fetchWhole(request, range: range)
      share(list.objectIDs)
      return list
    }
  }

  private func objectIDsFromParent(
    _ request: FetchRequest, range: FetchRange
  ) throws(PersistenceError) -> [ObjectID] {
    guard let parent else {
      return try reader.fetchObjectIDs(request.storeRequest(range))
    }
    let above = try parent.performAndWait { () throws(PersistenceError) -> [ObjectID] in
      let objectIDs = try parent.fetchObjectIDs(request, range: range)
      parent.share(objectIDs)
      return objectIDs
    }
    guard coordinator.identities.isUsed else { return above }
    return above.map { registeredObject(for: $0)?.objectID ?? $0 }
  }

  func share(_ objectIDs: [ObjectID]) {
    guard !insertedList.isEmpty else { return }
    for objectID in objectIDs where objectID.isTemporaryID {
      if let object = registry.object(for: objectID) { share(object) }
    }
  }

  /// Registers the objects of fetched rows and returns them. Whole rows are entered into the row cache, partial rows
  /// into the objects. The IDs of the rows are given parallel to them.
  func register(
    _ rows: [StoreRow], objectIDs: [ObjectID], slots: SlotSet, asFaults: Bool
  ) throws(PersistenceError) -> [ManagedObject] {
    guard slots.isAll else {
      let objects = registerFaults(objectIDs)
      for (object, row) in zip(objects, rows) where object.isFault { object.snapshot = row.row }
      return objects
    }
    guard coordinator.model.hooks.contains(.awakeFromFetch) else {
      return try registerFaults(of: rows, objectIDs, realising: !asFaults)
    }
    // All objects are registered first, because a callback may use other objects.
    let objects = try registerFaults(of: rows, objectIDs, realising: false)
    if asFaults { return objects }
    for (object, row) in zip(objects, rows) where object.isFault {
      object.snapshot = row.row
      awakeFromFetch(object)
    }
    return objects
  }

  /// Reads the rows of one batch with one SELECT by keys. The objects stay faults, with their rows in the row cache, or
  /// partial.
  func loadBatch(_ objectIDs: [ObjectID], entity: EntityDescription, slots: SlotSet) -> [ManagedObject] {
    do throws(PersistenceError) {
      return try recorder.during(.fetch, of: objectIDs.count, in: name) {
        () throws(PersistenceError) -> [ManagedObject] in
        defer { reportTally() }
        if let parent {
          return inParentBlock(of: parent) {
            let above = parent.loadBatch(objectIDs, entity: entity, slots: .all)
            return registerFaults(above.map(\.objectID))
          }
        }
        let permanent = objectIDs.filter { !$0.isTemporaryID }
        let rows = try reader.rows(of: entity, keys: permanent.map(\.key), slots: slots)
        let objects = registerFaults(objectIDs)
        _ = try register(rows, objectIDs: rows.map(\.objectID), slots: slots, asFaults: true)
        return objects
      }
    } catch {
      trapMisuse("a batch of \(entity.name) could not be read: \(error)")
    }
  }
}

// MARK: - Pending changes

extension ManagedObjectContext {
  /// The unsaved objects of the request's entity: inserted, updated and deleted ones.
  struct PendingObjects {
    var inserted: [ManagedObject] = []
    var updated: [ManagedObject] = []
    var deleted: [ManagedObject] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Returns the range to request from the parent, so that the wanted range is complete after the unsaved objects
    /// have been removed and inserted.
    func widen(_ range: FetchRange) -> FetchRange {
      isEmpty ? range : range.widened(by: updated.count + deleted.count)
    }
  }

  func pendingObjects(_ request: FetchRequest) -> PendingObjects {
    var pending = PendingObjects()
    guard request.includesPendingChanges else { return pending }
    pending.inserted = insertedList.filter { $0.flags.contains(.inserted) && request.covers($0.entity) }
    pending.updated = updatedList.filter { $0.flags.contains(.updated) && request.covers($0.entity) }
    pending.deleted = deletedList.filter { $0.flags.contains(.deleted) && request.covers($0.entity) }
    return pending
  }

  /// Applies the context's unsaved changes to the objects that its parent or the store found. Changed objects are
  /// tested and placed again; all others keep their places. O(n + m log n) for m unsaved objects, so that few of the
  /// list's faults fire.
  func applyPendingChanges(
    _ pending: PendingObjects, to list: FetchedObjects, request: FetchRequest, range: FetchRange
  ) {
    guard !pending.isEmpty else { return }
    defer { list.keep(range) }
    let evaluator = PredicateEvaluator(request.predicate, identities: coordinator.identities)
    countObjectsTested(pending.updated.count + pending.inserted.count)
    var matching = (pending.updated + pending.inserted).filter(evaluator.matches)
    let found = list.positions(of: (pending.updated + pending.inserted + pending.deleted).map(\.objectID))
    guard !request.sortDescriptors.isEmpty else {
      // The objects already in the list keep their places if the request has no order.
      let staying = Set(matching.map(\.objectID))
      list.remove(at: found.filter { !staying.contains($0.key) }.values.sorted())
      list.append(matching.filter { found[$0.objectID] == nil })
      return
    }
    list.remove(at: found.values.sorted())
    let order = ObjectOrder(request.sortDescriptors)
    matching.sort(by: order.isOrderedBefore)
    var gap = 0
    let gaps = matching.map { object in
      gap = list.gap(for: object, by: order, from: gap)
      return gap
    }
    withExtendedLifetime(matching) { list.insert(matching.map(Unmanaged.passUnretained), toGaps: gaps) }
  }
}
