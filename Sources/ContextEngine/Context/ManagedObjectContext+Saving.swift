import MachineCore

// MARK: - Saving

extension ManagedObjectContext {
  /// Saves every change one level up: into the parent context's memory, or into the store.
  ///
  /// Blocks on the parent's queue, or on the writer's turn and the disk. Does nothing when there is nothing to save.
  /// Validates, calls `willSave` of the objects' entities until nothing changes any more, posts will-save, writes, calls
  /// `didSave` and posts did-save. If it fails, the context is as it was but for what callbacks and observers changed.
  ///
  /// - Throws: `PersistenceError`: its codes of validation (1550 to 1680; 1560 for
  ///   several failures), 133020 for conflicts under the error
  ///   policy, SQLite's errors with their statement.
  public func save() throws(PersistenceError) {
    checkQueue()
    guard !isSaving else {
      throw PersistenceError(
        .recursiveSave, "context \(name) was told to save inside its own save; let that end first")
    }
    guard hasChanges else {
      processPendingChanges()
      forgetChanges()
      return
    }
    isSaving = true
    defer { isSaving = false }
    try advancingGeneration { () throws(PersistenceError) in try saveChanges() }
  }

  private func saveChanges() throws(PersistenceError) {
    try machine.during(.save) { () throws(PersistenceError) in
      machine.account(Work(.saveBegun))
      var changes = try prepareToSave()
      let number = coordinator.saveNumbers.next()
      if willSaveObservers.isEmpty {
        machine.account(Work(.notificationPosted))
      } else {
        post(notification(of: changes, number: number, committedAt: nil), to: willSaveObservers)
      }
      // What will-save observers changed is saved too.
      if !pendingEvent.isEmpty { changes = try prepareToSave() }
      var committedAt: Instant?
      reportFootprint()
      if let parent { try save(changes, into: parent) } else { committedAt = try saveToStore(&changes) }
      // Rows that a merge policy brought in are news of this context.
      processPendingChanges()
      changes.dropUnwritten()
      let notification = notification(of: changes, number: number, committedAt: committedAt)
      forgetChanges()
      reportWork()
      isSaving = false
      if coordinator.model.hooks.contains(.didSave) { didSave(changes.all) }
      post(notification, to: didSaveObservers)
      automaticMergingOfSaves.distribute(notification)
    }
  }

  /// Validates what is to be saved and lets `willSave` have its say, until nothing changes any more.
  ///
  /// - Throws: `PersistenceError`: what validation found, or `contextStillDirty` after 1,000 rounds, as in Core Data.
  private func prepareToSave() throws(PersistenceError) -> Changes {
    var changedAgain: [ManagedObject]?
    for _ in 0..<Self.roundLimit {
      processPendingChanges()
      let changes = Changes(self)
      try validate(changes)
      if coordinator.model.hooks.contains(.willSave) { willSave(changedAgain ?? changes.all) }
      if pendingEvent.isEmpty { return changes }
      changedAgain = pendingEvent.changedObjects
    }
    throw PersistenceError(
      .contextStillDirty,
      "context \(name) is still dirty after \(Self.roundLimit) rounds of validation and willSave: one of them changes an object each time; let it set a value only where that differs",
      objectIDs: (changedAgain ?? []).map(\.objectID))
  }

  private static var roundLimit: Int { 1_000 }

  /// What one save writes, each list in the order in which the objects changed.
  struct Changes {
    var inserted: [ManagedObject]
    var updated: [ManagedObject]
    var deleted: [ManagedObject]
    /// New objects that stand for rows which were there before, by a uniqueness constraint.
    var adopted: [ManagedObject] = []

    init(_ context: ManagedObjectContext) {
      inserted = context.insertedObjects
      updated = context.updatedObjects
      deleted = context.deletedObjects
    }

    var count: Int { inserted.count + updated.count + deleted.count }

    var all: [ManagedObject] { inserted + updated + deleted }

    /// Takes out what a merge policy gave up: changes of rows that are gone, deletions of rows that are to stay.
    mutating func dropUnwritten() {
      updated = updated.thoseHeld { !$0.flags.contains(.gone) }
      deleted = deleted.thoseHeld { $0.flags.contains(.gone) }
    }
  }

  /// Those that hear of this context's saves by themselves: its children, and the coordinator's other contexts.
  private var automaticMergingOfSaves: CombinedMerging {
    CombinedMerging(children: childMerging, peers: parent == nil ? coordinator.automaticMerging : nil)
  }

  private struct CombinedMerging {
    let children: AutomaticMerging
    let peers: AutomaticMerging?

    func distribute(_ save: SaveNotification) {
      peers?.distribute(save)
      children.distribute(save)
    }
  }

  private func notification(of changes: Changes, number: Int, committedAt: Instant?) -> SaveNotification {
    SaveNotification(
      context: self, number: number, inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
      committedAt: committedAt)
  }

  /// Checks everything that is to be saved, new objects first, deleted ones last. O(changed objects).
  private func validate(_ changes: Changes) throws(PersistenceError) {
    var failures: [ValidationFailure] = []
    changes.inserted.forEachHeld { if $0.needsValidation { failures += $0.failures(in: .insert) } }
    changes.updated.forEachHeld { if $0.needsValidation { failures += $0.failures(in: .update) } }
    changes.deleted.forEachHeld { object in
      if object.entity.validation.checksDeletion { failures += object.failures(in: .delete) }
    }
    if let error = PersistenceError.validation(failures) { throw error }
  }
}

// MARK: - Into a store

extension ManagedObjectContext {
  /// - Returns: when COMMIT returned.
  private func saveToStore(_ changes: inout Changes) throws(PersistenceError) -> Instant {
    // What is in memory only is no row's business.
    let (updated, kept) = partitionByTransience(changes.updated)
    let (written, unwritten) = rowsToWrite(updated)
    var result = try coordinator.save(request(for: changes, updating: written), policy: mergePolicy)
    settleWatched(result.overtaken)

    settleUpdates(of: written, result)
    for object in unwritten { becomeClean(object) }
    for object in kept { settle(object, .row(transientState(of: object)), result.permanentIDs) }
    settleDeletions(of: changes.deleted, result)
    settleAbsorbed(&changes, &result)
    rekey(changes, result)
    settleOthers(&changes, result)
    if result.hasMetOthers { forgetReadPairs(of: changes.inserted + changes.updated) }
    return result.committedAt
  }

  /// The changes as the coordinator takes them.
  ///
  /// - Parameter written: the changed objects whose rows are written.
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
      request.updates.append(
        .init(objectID: $0.objectID, base: base(of: $0), row: $0.compactedRow(), slots: $0.changedSlots))
    }
    request.deletions.reserveCapacity(changes.deleted.count)
    changes.deleted.forEachHeld { request.deletions.append(.init(objectID: $0.objectID, base: base(of: $0))) }
    request.watched = watchedObjects.map { .init(objectID: $0.object.objectID, base: $0.base) }
    request.relationships = RelationshipChanges(
      inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted, coordinator.model)
    return request
  }

  private func base(of object: ManagedObject) -> Row {
    guard let snapshot = object.snapshot else {
      trapMisuse("\(object.entity.name) \(object.objectID.key) is changed but was never read")
    }
    return snapshot
  }

  /// Gives saved new objects their permanent IDs and rows.
  private func rekey(_ changes: Changes, _ result: SaveResult) {
    guard !changes.inserted.isEmpty else { return }
    let temporaryIDs = changes.inserted.heldObjectIDs
    result.insertions.withUnsafeBufferPointer { insertions in
      var position = 0
      changes.inserted.forEachHeld { object in
        object.objectID = insertions[position].objectID
        let derived = slotsDerived(object, in: insertions[position].row)
        object.settle(on: insertions[position].row)
        becomeClean(object)
        if derived != 0 { pendingEvent.noteRefreshed(object, slots: derived) }
        position += 1
      }
    }
    registry.rekey(changes.inserted, from: temporaryIDs)
    if undoRecorder != nil { noteRenamed(zip(temporaryIDs, result.insertions).map { ($0, $1.objectID) }) }
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
    result.updates.withUnsafeBufferPointer { updates in
      var position = 0
      objects.forEachHeld { object in
        if updates[position].resolution == nil, let own = object.ownRow, own === updates[position].row {
          // Written as it was in memory: the rule, and nothing to compare.
          object.settle(on: updates[position].row)
          becomeClean(object)
        } else {
          settle(object, updates[position].outcome, result.permanentIDs)
        }
        position += 1
      }
    }
  }

  private func settleDeletions(of objects: [ManagedObject], _ result: SaveResult) {
    var position = 0
    objects.forEachHeld { object in
      settle(object, result.deletions[position].outcome, result.permanentIDs)
      position += 1
    }
  }

  /// Takes over what became of a changed or deleted object.
  private func settle(
    _ object: ManagedObject, _ outcome: SaveResult.Outcome, _ permanentIDs: PermanentIDs
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
      for slot in 0..<row.slotCount where slots & (1 << UInt64(slot)) != 0 {
        guard let target = before.objectID(at: slot), target.isTemporaryID,
          row.objectID(at: slot) == permanentIDs[target] ?? coordinator.identities.canonical(target)
        else { continue }
        slots &= ~(1 << UInt64(slot))
      }
      if slots != 0 {
        pendingEvent.noteRefreshed(object, slots: slots)
        // What was computed comes from no policy.
        let derived = coordinator.model.derivations.slots(of: object.entity.index)
        if slots & ~derived != 0 { awakeFromSnapshotEvents(object, .mergePolicy) }
      }
    case .deleted:
      if object.flags.contains(.updated) { pendingEvent.noteDeleted(object) }
      retire(object)
    }
  }

  /// The object's state is the parent's from now on.
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
