import MachineCore

// MARK: - Merging what no context has saved

extension ManagedObjectContext {
  /// Merges changes that no context of this coordinator has saved into several contexts. The changes are lists of
  /// object IDs, and can come from a batch request, another coordinator or another process.
  ///
  /// The row cache is updated first, by one SELECT for each entity over the changed rows that it contains, so that all
  /// contexts refresh from the new rows; a merge into each context alone would find the old rows. Parents merge before
  /// their children, so that a child does not read old values from its parent. Each context merges on its own queue,
  /// and the caller waits for it. If the caller is on the queue of one of the context's ancestors, which the context
  /// might be waiting for, the merge is posted instead. A context that is confined merges at once, and the caller must be
  /// on the thread or queue to which it is confined.
  ///
  /// - Throws: `PersistenceError` if the rows cannot be read. In that case no context of that coordinator has merged.
  public static func mergeChanges(
    fromRemoteContextSave changes: [ChangedObjectIDsKey: [ObjectID]], into contexts: [ManagedObjectContext]
  ) throws(PersistenceError) {
    var coordinators: [PersistentStoreCoordinator] = []
    for context in contexts where !coordinators.contains(where: { $0 === context.coordinator }) {
      coordinators.append(context.coordinator)
    }
    for coordinator in coordinators {
      let changes = RemoteChanges(changes, coordinator: coordinator)
      try coordinator.refreshRowCache(changes)
      let receivers = contexts.filter { $0.coordinator === coordinator }.map { (context: $0, depth: $0.depth) }
      // The order is stable: contexts of the same depth merge in the given order.
      let deepest = receivers.map(\.depth).max() ?? 0
      for depth in 0...deepest {
        for receiver in receivers where receiver.depth == depth { receiver.context.receive(changes) }
      }
    }
  }

  /// The number of the context's ancestors.
  private var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

  private func receive(_ changes: RemoteChanges) {
    if concurrencyType == .confinement {
      checkQueue()
      merge(changes)
    } else if mustNotBeWaitedFor {
      perform { [self] in merge(changes) }
    } else {
      performAndWait { merge(changes) }
    }
  }

  /// True if the caller is on the queue of an ancestor, which this context's queue may be waiting for, and not on this
  /// context's queue.
  private var mustNotBeWaitedFor: Bool {
    if queue.isCurrent { return false }
    var ancestor = parent
    while let above = ancestor {
      if above.queue.isCurrent { return true }
      ancestor = above.parent
    }
    return false
  }

  /// Merges lists of IDs after the row cache was updated. Runs on the context's queue.
  func merge(_ changes: RemoteChanges) {
    processPendingChanges()
    reportWork()
    mergeLists(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
  }
}

/// The IDs of a remote save as a coordinator's canonical IDs.
struct RemoteChanges: Sendable {
  let inserted: [ObjectID]
  let updated: [ObjectID]
  let deleted: [ObjectID]

  init(_ changes: [ChangedObjectIDsKey: [ObjectID]], coordinator: PersistentStoreCoordinator) {
    func list(_ key: ChangedObjectIDsKey) -> [ObjectID] {
      (changes[key] ?? []).map(coordinator.identities.canonical)
    }
    inserted = list(.inserted)
    updated = list(.updated)
    deleted = list(.deleted)
  }
}

extension PersistentStoreCoordinator {
  /// Reads the changed rows in the row cache again, and removes the deleted ones. O(changes), with one SELECT for each
  /// entity that has changed rows in the cache.
  func refreshRowCache(_ changes: RemoteChanges) throws(PersistenceError) {
    rowCache.remove(changes.deleted)
    let updated = changes.updated + changes.inserted
    let known = zip(updated, rowCache.rows(for: updated)).compactMap { $1 == nil ? nil : $0 }.sorted()
    var start = known.startIndex
    while start < known.endIndex {
      let entity = known[start].entityIndex
      let end = known[start...].firstIndex { $0.entityIndex != entity } ?? known.endIndex
      let objectIDs = known[start..<end]
      let rows = try rows(of: model.entities[entity], keys: objectIDs.map(\.key), slots: .all)
      let found = rows.map { ($0.objectID, $0.row) }
      let present = Set(rows.map(\.objectID))
      rowCache.remove(objectIDs.filter { !present.contains($0) })
      rowCache.enter(found)
      start = end
    }
  }
}
