import MachineCore

// MARK: - After COMMIT

extension SaveTransaction {
  /// Updates the row cache and the identities to what was written, and returns the result of the save.
  func finish(at instant: Instant, token: PersistentHistoryToken?) -> SaveResult {
    let given = given
    let shared = sharedPlaces.filter { absorbed[$0] == nil }.map { permanentIDs[$0] }
      .filter(\.temporary.isTemporaryID)
    for index in insertions.indices { insertions[index].row.becomeShared() }
    if coordinator.model.hasTransientAttributes || !absorbed.isEmpty {
      // Registrations move first; otherwise the new rows would not be registered with any context. A context that gives
      // up an object that became part of another gives up one registration of the other.
      let gone = absorbed.keys.sorted().map { permanentIDs[$0] }.filter(\.temporary.isTemporaryID)
      coordinator.rowCache.adopt(given, remembering: shared, absorbed: gone)
      let written = insertions.indices.filter { absorbed[$0] == nil }
      enter(written.map { (insertions[$0].objectID, insertions[$0].row) })
    } else {
      coordinator.rowCache.adopt(permanentIDs, remembering: shared, with: insertions)
    }
    if coordinator.attachedStores.areSeveral {
      coordinator.attachedStores.forgetAssignments(of: given.lazy.map(\.temporary))
    }
    enterUpdates()
    enterDeletions()
    return SaveResult(
      permanentIDs: known, insertions: insertions, updates: updates, deletions: deletions, overtaken: overtaken,
      absorbed: absorbed, others: others, committedAt: instant, historyToken: token,
      hasMetOthers: hasMetOthers)
  }

  /// The results for the updates that follow those of the request.
  private var others: [SaveResult.Other] {
    updates.dropFirst(requestedUpdateCount).map { update in
      let isWritten = if case .takeStore = update.action { false } else { true }
      return SaveResult.Other(
        objectID: update.objectID, outcome: update.outcome, isWritten: isWritten, isFollower: update.isFollower)
    }
  }

  private func enterUpdates() {
    let changes = updates.changes
    if !coordinator.model.hasTransientAttributes, updates.areAllAsInMemory {
      coordinator.rowCache.enterWritten(changes)
    } else {
      for index in changes.indices where updates.isAsInMemory(at: index) { changes[index].row.becomeShared() }
      enter(updates.map(\.outcome), of: updates.lazy.map(\.objectID))
    }
  }

  private func enterDeletions() {
    if deletions.allSatisfy({ $0.resolution == nil }) {
      coordinator.rowCache.removeDeleted(deletions.map(\.objectID))
    } else {
      enter(deletions.map(\.outcome), of: deletions.lazy.map(\.objectID))
    }
  }

  /// Enters the rows that the store has now into the row cache, and removes the rows that it no longer has.
  private func enter(_ outcomes: [SaveResult.Outcome], of objectIDs: some Sequence<ObjectID>) {
    var rows: [(ObjectID, Row)] = []
    var deleted: [ObjectID] = []
    for (objectID, outcome) in zip(objectIDs, outcomes) {
      switch outcome {
      case .row(let row): rows.append((objectID, row))
      case .deleted: deleted.append(objectID)
      }
    }
    enter(rows)
    coordinator.rowCache.removeDeleted(deleted)
  }

  /// Enters rows into the row cache without transient values, which stay with the context's objects, because other
  /// contexts read the cache.
  private func enter(_ rows: some Collection<(ObjectID, Row)>) {
    let model = coordinator.model
    guard model.hasTransientAttributes else { return coordinator.rowCache.enter(rows) }
    coordinator.rowCache.enter(rows.map { ($0, $1.withoutTransientValues(of: $0, model)) })
  }
}
