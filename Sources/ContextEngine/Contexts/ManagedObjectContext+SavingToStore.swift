import MachineCore

// MARK: - Saving into a store

extension ManagedObjectContext {
  func saveToStore(_ changes: inout Changes) throws(PersistenceError) -> SaveNotification.Commit {
    // Changes of transient attributes alone are not written to rows.
    let (updated, kept) = partitionByTransience(changes.updated)
    let (written, unwritten) = rowsToWrite(updated)
    var result = try coordinator.save(request(for: changes, updating: written), policy: mergePolicy)
    reportGrowth(ofSaveWith: changes.count)
    settleWatched(result.overtaken)

    settleUpdates(of: written, result)
    for object in unwritten { becomeClean(object) }
    for object in kept { settle(object, outcome: .row(transientState(of: object)), permanentIDs: result.permanentIDs) }
    settleDeletions(of: changes.deleted, result)
    settleAbsorbed(&changes, result: &result)
    rekey(changes, with: result)
    settleOthers(&changes, result: result)
    if result.hasMetOthers { forgetReadPairs(of: changes.inserted + changes.updated) }
    return SaveNotification.Commit(instant: result.committedAt, historyToken: result.historyToken)
  }

  /// Reports the work that a large save takes in addition to that of saves of up to 256 changes: one unit a change for
  /// each doubling of their number. Between two doublings the units grow linearly.
  private func reportGrowth(ofSaveWith changeCount: Int) {
    guard changeCount > 256 else { return }
    var (reached, doublings) = (256, 0)
    while reached * 2 <= changeCount { (reached, doublings) = (reached * 2, doublings + 1) }
    let count = changeCount * doublings + changeCount * (changeCount - reached) / reached
    machine.account(Work(.changeRevisited, count: count))
  }

  /// The names of the context and the author that the store's history records for transactions of this context.
  var transactionOrigin: TransactionOrigin { TransactionOrigin(contextName: name, author: transactionAuthor) }

  /// Returns the changes in the form that the coordinator takes. The changed objects whose rows are written are given
  /// separately.
  private func request(for changes: Changes, updating written: [ManagedObject]) -> SaveRequest {
    var request = SaveRequest()
    request.origin = transactionOrigin
    request.insertions.reserveCapacity(changes.inserted.count)
    changes.inserted.forEachHeld { object in
      if object.flags.contains(.shared) { request.sharedPlaces.append(request.insertions.count) }
      request.insertions.append(.init(objectID: object.objectID, row: object.compactedRow()))
    }
    request.updates.reserveCapacity(written.count)
    written.forEachHeld {
      request.updates.append($0.objectID, row: $0.compactedRow(), slots: $0.changedSlots, basedOn: base(of: $0))
    }
    request.deletions.reserveCapacity(changes.deleted.count)
    changes.deleted.forEachHeld { request.deletions.append(.init(objectID: $0.objectID, base: base(of: $0).row)) }
    request.watched = watchedObjects.map { .init(objectID: $0.object.objectID, base: $0.base) }
    request.relationships = RelationshipChanges(
      inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted, coordinator.model)
    return request
  }

  private func base(of object: ManagedObject) -> HeldRow {
    guard let snapshot = object.snapshotRow else {
      trapMisuse("\(object.entity.name) \(object.objectID.key) has changes but was never read")
    }
    return snapshot
  }

  /// Gives saved new objects their permanent IDs and rows.
  private func rekey(_ changes: Changes, with result: SaveResult) {
    guard !changes.inserted.isEmpty else { return }
    let temporaryIDs = changes.inserted.heldObjectIDs
    result.insertions.withUnsafeBufferPointer { insertions in
      var position = 0
      changes.inserted.forEachHeld { object in
        object.objectID = insertions[position].objectID
        let derived = slotsDerived(object, in: insertions[position].row)
        object.settle(on: HeldRow(unretained: insertions[position].row))
        becomeClean(object)
        if !derived.isEmpty { pendingEvent.noteRefreshed(object, slots: derived) }
        position += 1
      }
    }
    registry.rekey(changes.inserted, from: temporaryIDs)
    if changeRecorder != nil { noteRenamed(zip(temporaryIDs, result.insertions).map { ($0, $1.objectID) }) }
    // Relationships hold the temporary IDs of the new objects.
    for list in [changes.inserted, changes.updated] {
      list.forEachHeld { object in
        guard !object.toManys.isEmpty else { return }
        object.changeToManys { toManys in
          for index in toManys.indices { toManys[index].rekey(result.permanentIDs) }
        }
      }
    }
    if !controllers.isEmpty { controllers.notify(.rekeyed(result.permanentIDs)) }
  }

  private func settleUpdates(of objects: [ManagedObject], _ result: SaveResult) {
    let updates = result.updates
    var position = 0
    objects.forEachHeld { object in
      let row = HeldRow(unretained: updates.changes[position].row)
      if updates.isAsInMemory(at: position), let own = object.ownRow, own === row {
        // The row was written as it was in memory, which is the usual case, and needs no comparison.
        object.settle(on: row)
        becomeClean(object)
      } else {
        settle(object, outcome: updates[position].outcome, permanentIDs: result.permanentIDs)
      }
      position += 1
    }
  }

  private func settleDeletions(of objects: [ManagedObject], _ result: SaveResult) {
    let areAllDeleted = result.deletions.allSatisfy { if case .deleted = $0.outcome { true } else { false } }
    if areAllDeleted { return retire(objects) }
    for (object, deletion) in zip(objects, result.deletions) {
      settle(object, outcome: deletion.outcome, permanentIDs: result.permanentIDs)
    }
  }

  /// Applies the outcome of a save to a changed or deleted object.
  private func settle(
    _ object: ManagedObject, outcome: SaveResult.Outcome, permanentIDs: PermanentIDs
  ) {
    switch outcome {
    case .row(let row):
      let before = object.currentRow
      let wasDeleted = object.flags.contains(.deleted)
      object.snapshot = row
      becomeClean(object)
      if wasDeleted {
        pendingEvent.noteRestored([object])
        return
      }
      // A reference to a new object is the same reference under its permanent ID.
      var slots = row.slotsDiffering(from: before)
      for slot in 0..<row.slotCount where slots.contains(slot) {
        guard let target = before.objectID(at: slot), target.isTemporaryID,
          row.objectID(at: slot) == permanentIDs[target] ?? coordinator.identities.canonical(target)
        else { continue }
        slots.subtract(SlotSet(slot))
      }
      if !slots.isEmpty {
        pendingEvent.noteRefreshed(object, slots: slots)
        // Derived values do not come from a merge policy.
        let derived = coordinator.model.derivations.slots(of: object.entity.index)
        if !derived.isSuperset(of: slots) { awakeFromSnapshotEvents(object, events: .mergePolicy) }
      }
    case .deleted:
      if object.flags.contains(.updated) { pendingEvent.noteDeleted(object) }
      retire(object)
    }
  }

  /// Marks an object as unchanged: its state is now the parent's.
  func becomeClean(_ object: ManagedObject) {
    object.flags.subtract([.inserted, .updated, .deleted, .shared])
    if object.ownRow != nil { object.setChangedRow(nil) }
    object.countChanges()
    guard !object.toManys.isEmpty else { return }
    object.changeToManys { toManys in
      for index in toManys.indices { toManys[index].settle(coordinator.identities) }
    }
  }
}
