import MachineCore

// MARK: - Refreshing and asking for what exists

extension ManagedObjectContext {
  /// Turns every registered object into a fault, but for what is not saved: changed objects get their row anew with the
  /// changes on top, new and deleted ones stay as they are.
  ///
  /// Breaks cycles of references between objects that relationships made, and lets the next read see what others have
  /// saved, as far as the row cache has it. O(n log n), and a row for each changed object.
  public func refreshAllObjects() throws(PersistenceError) {
    checkQueue()
    for object in registry.allObjects() {
      object.lookForRowAgain()
      if object.isInserted || object.isDeleted { continue }
      if object.isFault {
        // A relationship can have been read of an object that was not.
        object.forgetReadToManys()
      } else {
        try refresh(object, mergeChanges: object.flags.contains(.updated))
      }
    }
  }

  /// The object with this ID, never as a fault, if it exists.
  ///
  /// One that the context has realised is returned as it is. Reads its row otherwise: blocks on the row cache, the store or
  /// the parent context.
  ///
  /// - Throws: `PersistenceError` with `.referentialIntegrity` (133000) when there is no such row, whatever
  ///   `shouldDeleteInaccessibleFaults` says.
  public func existingObject(with objectID: ObjectID) throws(PersistenceError) -> ManagedObject {
    checkQueue()
    let object = object(with: objectID)
    if object.isFault, try !readRow(of: object) { throw Self.missingRow(of: object) }
    if object.flags.contains(.inaccessible) { throw Self.missingRow(of: object) }
    return object
  }

  static func missingRow(of object: ManagedObject) -> PersistenceError {
    PersistenceError(
      .referentialIntegrity,
      "the row of \(object.entity.name) \(object.objectID.key), for which a fault was fired, is not in the store",
      objectIDs: [object.objectID])
  }

  /// Has the next save compare an object's version with the store's although the object is not changed: if others have
  /// changed or deleted its row since it was read, that is a conflict like any other.
  ///
  /// Fires the object if it is a fault. A save without changes compares nothing. In a child the mark goes up with the save,
  /// and the save into the store compares what the child had read.
  public func detectConflicts(for object: ManagedObject) throws(PersistenceError) {
    checkQueue()
    guard object.registry === registry else {
      trapMisuse("conflicts of object \(object.objectID) were to be detected in context \(name); it belongs to another")
    }
    guard !object.isInserted else { return }
    try object.fulfillFault()
    if !object.isDeleted { watch(object, base: nil) }
  }

  /// - Parameter base: the row whose version counts; nil = the one that the object is based on when it is saved.
  func watch(_ object: ManagedObject, base: Row?) {
    if !watchedList.contains(where: { $0.object === object }) { watchedList.append((object, base)) }
  }

  /// The unchanged objects whose versions a save compares all the same; what is changed is compared anyway.
  var watchedObjects: [(object: ManagedObject, base: Row)] {
    watchedList.compactMap { object, base in
      guard object.flags.isDisjoint(with: [.inserted, .updated, .deleted, .gone, .inaccessible]),
        let base = base ?? object.snapshot
      else { return nil }
      return (object, base)
    }
  }

  /// Takes over what others have done to watched objects, and ends the watch.
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
  /// Makes a fault again of an object that had no row when its fault fired, now that there may be one: a parent context
  /// has taken a deletion back, or somebody has found the row.
  @inline(__always)
  func lookForRowAgain() {
    guard flags.contains(.inaccessible) else { return }
    flags.subtract([.inaccessible, .warned])
    snapshot = nil
  }
}
