import MachineCore

// MARK: - Undoing

extension ManagedObjectContext {
  /// Undoes the last group of the undo manager. Pending changes are processed before and after. This method has no
  /// effect if the context has no undo manager.
  public func undo() {
    checkQueue()
    undoManager?.undo()
  }

  /// Redoes the group that was undone last. This method has no effect if the context has no undo manager.
  public func redo() {
    checkQueue()
    undoManager?.redo()
  }

  /// The object that undoes and redoes the context's changes, or nil (the default) if changes are not recorded for
  /// undo.
  public var undoManager: ContextUndoManager? {
    get { undoRecorder?.undoManager }
    set {
      undoRecorder?.end()
      changeRecorder = newValue.map { UndoRecorder(of: self, for: $0) }
    }
  }

  /// The context's recorder, or nil without an undo manager.
  private var undoRecorder: UndoRecorder? { changeRecorder as? UndoRecorder }
}

// MARK: - Taking an event back

extension ManagedObjectContext {
  /// Changes objects back to their state before an event. Delete rules and inverse relationships are not applied,
  /// because each changed object has an entry in the record.
  func takeBack(_ record: UndoRecord) {
    // Deleted objects need their IDs and have to be restored before other objects refer to them.
    for entry in record.entries {
      // An object that was never saved can keep its ID.
      if case .deleted(let deleted) = entry.change, !deleted.wasInserted { giveNewID(to: entry.object) }
    }
    for entry in record.entries {
      if case .deleted(let deleted) = entry.change { restore(entry.object, from: deleted) }
    }
    for entry in record.entries {
      if case .updated(let updated) = entry.change { revert(entry.object, undoing: updated) }
    }
    for entry in record.entries.reversed() {
      guard case .inserted = entry.change, !entry.object.isDeleted else { continue }
      entry.object.touch()
      awakeFromSnapshotEvents(entry.object, events: .undoInsertion)
      markDeleted(entry.object)
    }
    processPendingChanges()
  }

  private func revert(_ object: ManagedObject, undoing updated: UndoRecord.Updated) {
    guard !object.isDeleted else { return }
    object.makeChangeable()
    guard !object.isDeleted else { return }
    for (slot, value) in updated.values {
      let value = undoRecorder?.current(value) ?? value
      if object.currentValue(at: slot) != value { object.change(slot, to: value) }
    }
    for change in updated.toManys { revert(object, undoing: change) }
    awakeFromSnapshotEvents(object, events: .undoUpdate)
  }

  private func revert(_ object: ManagedObject, undoing change: UndoRecord.ToManyChange) {
    let relationship = object.entity.toManys[change.place]
    let added = change.added.map(currentID)
    let removed = change.removed.map(currentID)
    let order = change.order?.map(currentID)
    object.changeToMany(at: change.place) { state, identities in
      for objectID in added {
        if relationship.followsKeys {
          state.remove(objectID, identities: identities)
        } else {
          state.leave(objectID, identities: identities)
        }
      }
      for objectID in removed { state.put(objectID, relationship: relationship, identities: identities) }
      if let order { state.arrange(order) }
    }
  }

  private func currentID(_ objectID: ObjectID) -> ObjectID {
    undoRecorder?.current(objectID) ?? objectID
  }

  /// Restores a deleted object: with its previous state if the deletion has not been saved, otherwise as a new object.
  private func restore(_ object: ManagedObject, from deleted: UndoRecord.Deleted) {
    if object.flags.contains(.deleted) {
      undoRecorder?.noteInsertion(of: object)
      pendingEvent.noteRestored([object])
      deletedList.removeAll { $0 === object }
      object.flags.remove(.deleted)
      object.setChangedRow(deleted.hadChanges ? current(deleted.row) : nil)
      object.changedSlots = deleted.changedSlots
      // Objects that had been given a permanent ID come back with a new ID if they are inserted again.
      let toManys = deleted.toManys.map { $0.replacingIDs(by: currentID) }
      object.changeToManys { $0 = toManys }
      if deleted.hadChanges || deleted.toManys.contains(where: \.hasChanges) {
        object.flags.insert(.updated)
        if !updatedList.contains(where: { $0 === object }) { updatedList.append(object) }
      }
      object.countChanges()
      catchUp(object)
    } else if object.flags.contains(.gone) {
      insertAgain(object, from: deleted)
    } else {
      return
    }
    awakeFromSnapshotEvents(object, events: .undoDeletion)
  }

  /// Returns the row with the current IDs of the objects that it refers to.
  private func current(_ row: Row) -> Row {
    var current = row.copy()
    guard let undoRecorder else { return current }
    for slot in 0..<row.slotCount {
      if let objectID = row.objectID(at: slot) { current.set(.object(undoRecorder.current(objectID)), at: slot) }
    }
    return current
  }

  /// Gives a new temporary ID to an object whose row was deleted, so that it can be inserted again.
  private func giveNewID(to object: ManagedObject) {
    guard object.flags.contains(.gone),
      !object.objectID.isTemporaryID || coordinator.identities.permanentID(for: object.objectID) != nil
    else { return }
    let old = object.objectID
    object.objectID = coordinator.identities.makeTemporaryID(entity: object.entity.index)
    undoRecorder?.noteRenamed(old, to: object.objectID)
  }

  /// Inserts an object again whose deletion was saved, or that was never saved. The instance is the same and has its
  /// previous values.
  private func insertAgain(_ object: ManagedObject, from deleted: UndoRecord.Deleted) {
    object.becomeBlank()
    // A fault for the deleted row can have been made since by following a relationship to it. It is removed.
    if let standIn = registry.object(for: object.objectID) {
      retire(standIn)
      retainedObjects?.removeAll { $0 === standIn }
    }
    registry.register(object)
    if retainedObjects?.contains(where: { $0 === object }) == false { retainedObjects?.append(object) }
    registerWithRowCache(object.objectID)
    footprint.add(object.countRegistered())
    pool(object)
    if !insertedList.contains(where: { $0 === object }) { insertedList.append(object) }
    pendingEvent.noteRestored([object])
    undoRecorder?.noteInsertion(of: object)
    object.setChangedRow(current(deleted.row))
    object.changedSlots = object.entity.everySlot
    object.prepareToManys()
    object.changeToManys { toManys in
      for (place, members) in deleted.members.enumerated() {
        toManys[place].base = []
        for member in members {
          toManys[place].put(
            currentID(member), relationship: object.entity.toManys[place], identities: coordinator.identities)
        }
      }
    }
  }
}

extension ToManyState {
  /// Makes an object a member of the relationship, for relationships that follow foreign keys and for those that do
  /// not.
  fileprivate mutating func put(
    _ objectID: ObjectID, relationship: EntityDescription.ToMany, identities: IdentityMap
  ) {
    if relationship.followsKeys {
      add(objectID, identities: identities)
    } else {
      enter(objectID, isOrdered: relationship.isOrdered, identities: identities)
    }
  }
}
