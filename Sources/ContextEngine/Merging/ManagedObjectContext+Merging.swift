import MachineCore

// MARK: - Merging

extension ManagedObjectContext {
  /// Merges the changes that another context of the same coordinator has saved.
  ///
  /// Deleted objects are removed if they are registered here or listed by a controller. Updated objects that are
  /// registered and realised get their new values, each from the row cache or by `performAndWait` from the parent
  /// context, and local changes are kept. Registered faults stay faults, and updated objects that are not registered
  /// are ignored. Inserted objects become registered faults. Posts one did-change with inserted, refreshed and deleted
  /// objects, and then a did-merge with their IDs. O(objects in the save).
  ///
  /// - Parameters:
  ///   - save: The did-save notification of the other context.
  ///   - firingUpdatedObjects: Indicates whether all updated objects are registered and realised first, as with
  ///     `firesUpdatedObjectsBeforeMerging`.
  public func mergeChanges(fromContextDidSave save: SaveNotification, firingUpdatedObjects: Bool = false) {
    checkQueue()
    machine.account(Work(.notificationMerged))
    merge(save, firingUpdatedObjects: firingUpdatedObjects)
  }

  /// Merges a save as `mergeChanges(fromContextDidSave:firingUpdatedObjects:)` does, without the work of reading a
  /// notification.
  func merge(_ save: SaveNotification, firingUpdatedObjects: Bool = false) {
    didMergeObservers.notify(MergeNotification(context: self, stage: .begun, save: save))
    processPendingChanges()
    reportWork()
    mergeLists(
      inserted: save.insertedIDs, updated: save.updatedIDs, deleted: save.deletedIDs, firing: firingUpdatedObjects,
      ofSave: save.number)
    didMergeObservers.notify(MergeNotification(context: self, stage: .ended, save: save))
  }

  /// Merges the changes of three lists of objects and posts the notifications. The number is that of the save that
  /// changed the objects, or nil if it was not a save of this coordinator.
  func mergeLists(
    inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID], firing: Bool = false, ofSave number: Int? = nil
  ) {
    advancingGeneration {
      mergeNewest(inserted: inserted, updated: updated, deleted: deleted, firing: firing, ofSave: number)
    }
  }

  private func mergeNewest(
    inserted: [ObjectID], updated: [ObjectID], deleted: [ObjectID], firing: Bool, ofSave number: Int?
  ) {
    recorder.during(.merge, of: inserted.count + updated.count + deleted.count, in: name) {
      if let number { recorder.add(.flowEnded("merge", number: number)) }
      machine.account(Work(.mergeBegun))
      if firing || firesUpdatedObjectsBeforeMerging { fire(beforeMerging: updated) }
      var counts = MergeCounts(changes: MergedChanges(isObserved: !didMergeChangesObservers.isEmpty))
      for objectID in deleted { mergeDeletion(of: objectID, &counts) }
      mergeUpdates(of: updated, &counts)
      mergeInsertions(of: inserted, &counts)
      counts.report(to: machine)
      processPendingChanges(origin: .merge)
      if !counts.deletedElsewhere.isEmpty { controllers.notify(.deletedElsewhere(counts.deletedElsewhere)) }
      post(counts.changes)
      reportWork()
    }
  }

  private struct MergeCounts {
    var insertions = 0
    var unregistered = 0
    var faults = 0
    var realised = 0
    var changes: MergedChanges
    /// The deleted objects that are not registered in this context.
    var deletedElsewhere: [ObjectID] = []

    func report(to machine: any Machine) {
      if insertions > 0 { machine.account(Work(.insertionMerged, count: insertions)) }
      if unregistered > 0 { machine.account(Work(.changeMergedUnregistered, count: unregistered)) }
      if faults > 0 { machine.account(Work(.changeMergedFault, count: faults)) }
      if realised > 0 { machine.account(Work(.changeMergedRealised, count: realised)) }
    }
  }

  private func mergeDeletion(of objectID: ObjectID, _ counts: inout MergeCounts) {
    guard let object = registeredObject(for: objectID) else {
      counts.unregistered += 1
      counts.deletedElsewhere.append(objectID)
      return
    }
    if object.isFault { counts.faults += 1 } else { counts.realised += 1 }
    counts.changes.noteDeleted(object)
    mergeDeletion(of: object)
  }

  private func mergeUpdates(of objectIDs: [ObjectID], _ counts: inout MergeCounts) {
    guard coordinator.identities.isUsed else {
      let known = registry.objects(among: objectIDs)
      counts.unregistered += objectIDs.count - known.count
      for object in known {
        object.touch()
        mergeUpdate(of: object, &counts)
      }
      return
    }
    for objectID in objectIDs {
      if let object = registeredObject(for: objectID) {
        mergeUpdate(of: object, &counts)
      } else {
        counts.unregistered += 1
      }
    }
  }

  private func mergeUpdate(of object: ManagedObject, _ counts: inout MergeCounts) {
    guard !object.isFault else {
      counts.faults += 1
      object.forgetReadToManys()
      counts.changes.noteUpdated(object, isRefreshed: false)
      return
    }
    counts.realised += 1
    if object.isDeleted { object.flags.insert(.outdated) }
    guard !object.isDeleted, !object.isInserted else { return }
    do throws(PersistenceError) {
      try refreshValues(of: object)
      counts.changes.noteUpdated(object, isRefreshed: true)
    } catch {
      trapMisuse("merging \(object.entity.name) \(object.objectID.key) could not read its row: \(error)")
    }
  }

  private func mergeInsertions(of objectIDs: [ObjectID], _ counts: inout MergeCounts) {
    if objectIDs.isEmpty { return }
    let identities = coordinator.identities
    if !identities.isUsed, registry.hasNone(of: objectIDs) {
      // In the usual case, making and passing on one list of faults takes half the time.
      counts.insertions += objectIDs.count
      pendingEvent.noteMade(makeFaults(objectIDs, flags: .eventInserted))
      counts.changes.noteInserted(objectIDs)
      return
    }
    var known = registry.objects(for: objectIDs)
    if identities.isUsed {
      for position in known.indices where known[position] == nil {
        known[position] = registeredObject(for: objectIDs[position])
      }
    }
    let missing = objectIDs.indices.filter { known[$0] == nil }.map { objectIDs[$0] }
    var fresh = makeFaults(identities.canonical(missing)).makeIterator()
    counts.insertions += missing.count
    counts.changes.noteInserted(objectIDs)
    for object in known {
      guard let object else {
        if let object = fresh.next() { pendingEvent.noteInserted(object) }
        continue
      }
      object.touch()
      object.lookForRowAgain()
      if object.isFault { counts.faults += 1 } else { counts.realised += 1 }
      // The object was registered before the merge, by a relationship or a fetch, but it is still new to the
      // controllers.
      if !object.hasChanges, !object.isDeleted { pendingEvent.noteInserted(object) }
    }
  }
}
