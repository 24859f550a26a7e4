import MachineCore

// MARK: - Merging what no context has saved

extension ManagedObjectContext {
  /// Takes a save that no context here has made, named by object IDs, into several contexts: a batch request's, another
  /// coordinator's, another process's.
  ///
  /// The row cache is brought up to date first, by one SELECT for each entity over the changed rows that it has: all
  /// contexts then refresh from there, where a merge of each alone would find the old rows. Parents come before their
  /// children, so that a child does not ask a parent that knows less. Each context merges on its own queue, and the caller
  /// waits for it; but where the caller holds the queue of one of its ancestors, which it might be waiting for, the merge
  /// is posted instead.
  ///
  /// - Throws: `PersistenceError` where the rows cannot be read; no context has merged then.
  public static func mergeChanges(
    fromRemoteContextSave changes: [ChangedObjectIDsKey: [ObjectID]], into contexts: [ManagedObjectContext]
  ) throws(PersistenceError) {
    var coordinators: [PersistentStoreCoordinator] = []
    for context in contexts where !coordinators.contains(where: { $0 === context.coordinator }) {
      coordinators.append(context.coordinator)
    }
    for coordinator in coordinators {
      let changes = RemoteChanges(changes, coordinator)
      try coordinator.refreshRowCache(changes)
      let receivers = contexts.filter { $0.coordinator === coordinator }.map { (context: $0, depth: $0.depth) }
      // Stable: contexts of one depth in the order given.
      let deepest = receivers.map(\.depth).max() ?? 0
      for depth in 0...deepest {
        for receiver in receivers where receiver.depth == depth { receiver.context.receive(changes) }
      }
    }
  }

  /// How many contexts are above this one.
  private var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

  private func receive(_ changes: RemoteChanges) {
    if mustNotBeWaitedFor {
      perform { [self] in merge(changes) }
    } else {
      performAndWait { merge(changes) }
    }
  }

  /// Whether the caller holds a queue that this context's queue may be waiting for.
  private var mustNotBeWaitedFor: Bool {
    if queue.isCurrent { return false }
    var ancestor = parent
    while let above = ancestor {
      if above.queue.isCurrent { return true }
      ancestor = above.parent
    }
    return false
  }

  /// Merges lists of IDs; the row cache is up to date. On the context's queue.
  func merge(_ changes: RemoteChanges) {
    processPendingChanges()
    reportWork()
    mergeLists(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
  }
}

/// The IDs of a remote save as a coordinator knows its objects.
struct RemoteChanges: Sendable {
  let inserted: [ObjectID]
  let updated: [ObjectID]
  let deleted: [ObjectID]

  init(_ changes: [ChangedObjectIDsKey: [ObjectID]], _ coordinator: PersistentStoreCoordinator) {
    func list(_ key: ChangedObjectIDsKey) -> [ObjectID] {
      (changes[key] ?? []).map(coordinator.identities.canonical)
    }
    inserted = list(.inserted)
    updated = list(.updated)
    deleted = list(.deleted)
  }
}

extension PersistentStoreCoordinator {
  /// Reads the changed rows that the row cache has anew, and takes the deleted ones out. O(changes) and one SELECT for
  /// each entity that has any.
  func refreshRowCache(_ changes: RemoteChanges) throws(PersistenceError) {
    rowCache.remove(changes.deleted)
    let updated = changes.updated + changes.inserted
    let known = zip(updated, rowCache.rows(for: updated)).compactMap { $1 == nil ? nil : $0 }.sorted()
    var start = known.startIndex
    while start < known.endIndex {
      let entity = known[start].entityIndex
      let end = known[start...].firstIndex { $0.entityIndex != entity } ?? known.endIndex
      let objectIDs = known[start..<end]
      let rows = try rows(of: model.entities[entity], keys: objectIDs.map(\.key), slots: Row.allSlots)
      let found = rows.map { ($0.objectID, $0.row) }
      let present = Set(rows.map(\.objectID))
      rowCache.remove(objectIDs.filter { !present.contains($0) })
      rowCache.enter(found)
      start = end
    }
  }
}
