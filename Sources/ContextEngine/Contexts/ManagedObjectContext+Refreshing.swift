import MachineCore

// MARK: - Refreshing objects and finding existing ones

extension ManagedObjectContext {
  /// Turns every registered object without unsaved changes into a fault. Changed objects read their row again and keep
  /// their changes on top of it; new and deleted objects stay as they are.
  ///
  /// This breaks reference cycles that relationships created between objects, and lets the next read return what other
  /// contexts have saved, as far as the row cache has it. O(n log n), and one row read for each changed object.
  ///
  /// - Throws: `PersistenceError` if the row of a changed object cannot be read.
  public func refreshAllObjects() throws(PersistenceError) {
    checkQueue()
    for object in registry.allObjects() {
      object.lookForRowAgain()
      if object.isInserted || object.isDeleted { continue }
      if object.isFault {
        // A relationship of the object can have been read while the object itself is still a fault.
        object.forgetReadToManys()
      } else {
        try refresh(object, mergeChanges: object.flags.contains(.updated))
      }
    }
  }

  /// Returns the object with this ID, never as a fault, if its row exists.
  ///
  /// An object that the context has realised is returned as it is. Otherwise its row is read, which blocks on the row
  /// cache, the store or the parent context.
  ///
  /// - Throws: `PersistenceError` with `.referentialIntegrity` (133000) if the row does not exist, regardless of
  ///   `shouldDeleteInaccessibleFaults`.
  public func existingObject(with objectID: ObjectID) throws(PersistenceError) -> ManagedObject {
    checkQueue()
    let object = object(with: objectID)
    if object.isFault, try !readRow(of: object) { throw Self.missingRow(of: object) }
    if object.flags.contains(.inaccessible) { throw Self.missingRow(of: object) }
    return object
  }

  static func missingRow(of object: ManagedObject) -> PersistenceError {
    let objectID = object.objectID
    let name = "\(object.entity.name) \(objectID.isTemporaryID ? "with a temporary ID" : "\(objectID.key)")"
    return PersistenceError(
      .referentialIntegrity, "the row of \(name), for which a fault was fired, is not in the store",
      objectIDs: [objectID])
  }

  /// Makes the next save compare an object's version with the store's even if the object is not changed: if its row was
  /// changed or deleted since it was read, that is a conflict like any other.
  ///
  /// Fires the object if it is a fault. A save without changes does not compare versions. In a child, the mark moves to
  /// the parent with the save, and the save into the store compares the version that the child had read.
  ///
  /// - Throws: `PersistenceError` if the object is a fault and cannot be fulfilled.
  public func detectConflicts(for object: ManagedObject) throws(PersistenceError) {
    checkQueue()
    guard object.registry === registry else {
      trapMisuse("conflicts of object \(object.objectID) were to be detected in context \(name); it belongs to another")
    }
    guard !object.isInserted else { return }
    try object.fulfillFault()
    if !object.isDeleted { watch(object, base: nil) }
  }

  /// Adds an object to the unchanged objects whose versions the next save compares. The version that is compared is
  /// that of the given row or, if it is nil, of the row that the object is based on when it is saved.
  func watch(_ object: ManagedObject, base: Row?) {
    if !watchedList.contains(where: { $0.object === object }) { watchedList.append((object, base)) }
  }

  /// The unchanged objects whose versions a save compares. Changed objects are always compared.
  var watchedObjects: [(object: ManagedObject, base: Row)] {
    watchedList.compactMap { object, base in
      guard object.flags.isDisjoint(with: [.inserted, .updated, .deleted, .gone, .inaccessible]),
        let base = base ?? object.snapshot
      else { return nil }
      return (object, base)
    }
  }

  /// Takes over changes and deletions that other contexts have made to watched objects, and ends the watch.
  func settleWatched(_ overtaken: [(objectID: ObjectID, row: Row?)]) {
    watchedList = []
    for (objectID, row) in overtaken {
      guard let object = registeredObject(for: objectID) else { continue }
      if let row {
        if !object.isFault { rebase(object, onto: row) }
      } else {
        mergeDeletion(of: object)
      }
    }
  }
}

extension ManagedObject {
  /// Turns an object that had no row when its fault fired into a fault again, because the row may exist now: a parent
  /// context has undone a deletion, or a fetch has found the row.
  @inline(__always)
  func lookForRowAgain() {
    guard flags.contains(.inaccessible) else { return }
    flags.subtract([.inaccessible, .warned])
    snapshot = nil
  }
}
