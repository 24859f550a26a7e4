import MachineCore

// MARK: - Reading to-many relationships

extension ManagedObjectContext {
  /// Returns the IDs at the other end of a to-many relationship as the parent has them now.
  func relatedObjectIDs(of object: ManagedObject, at toMany: Int) -> [ObjectID] {
    do throws(PersistenceError) {
      return try recorder.during(.fault, of: 1, in: name) { () throws(PersistenceError) -> [ObjectID] in
        guard let parent else {
          // A new object has no row that others could refer to.
          if object.isInserted { return [] }
          if object.objectID.isTemporaryID, coordinator.identities.permanentID(for: object.objectID) == nil {
            return []
          }
          return try reader.relatedObjectIDs(of: object.objectID, at: toMany)
        }
        if object.isInserted { return [] }
        return inParentBlock(of: parent) {
          parent.relatedObjectIDs(of: object.objectID, at: toMany, forChild: self)
        }
      }
    } catch {
      trapMisuse("a relationship of \(object.entity.name) \(object.objectID.key) could not be read: \(error)")
    }
  }

  /// Reads a to-many relationship of the given objects that have not read it yet, for prefetching. One SELECT reads it
  /// for all of them, issued by the context that is directly on the coordinator. O(objects + members).
  ///
  /// All the objects belong, directly or by inheritance, to the entity of the relationship.
  func prefetchRelatedObjects(at path: PropertyPath, of objects: [ManagedObject]) throws(PersistenceError) {
    let place = path.slot
    let unread = objects.filter { object in
      !object.isInserted && !object.isDeleted && (object.toManys.isEmpty || object.toManys[place].base == nil)
    }
    if unread.isEmpty { return }
    let related = try recorder.during(.fetch, in: name) { () throws(PersistenceError) -> [[ObjectID]] in
      guard let parent else {
        return try reader.relatedObjectIDs(of: unread.map(\.objectID), at: place)
      }
      return try inParentBlock(of: parent) { () throws(PersistenceError) -> [[ObjectID]] in
        let above = unread.map { parent.object(with: $0.objectID) }
        try parent.prefetchRelatedObjects(at: path, of: above)
        return unread.map { parent.relatedObjectIDs(of: $0.objectID, at: place, forChild: self) }
      }
    }
    for (object, objectIDs) in zip(unread, related) {
      object.touch()
      object.prepareToManys()
      object.changeToManys { $0[place].base = objectIDs }
    }
  }

  /// Returns the IDs of a relationship's members as a child context sees them: the members here, including unsaved
  /// changes.
  private func relatedObjectIDs(
    of objectID: ObjectID, at toMany: Int, forChild child: ManagedObjectContext
  ) -> [ObjectID] {
    let above = object(with: objectID)
    let path = PropertyPath(entity: above.entity.index, slot: toMany, kind: .toMany)
    let related = above.isDeleted ? [] : above.relatedObjects(path)
    for object in related { share(object) }
    // The objects are registered in the child while the parent still keeps them.
    return child.registerFaults(related.map(\.objectID)).map(\.objectID)
  }

  /// Divides changed objects into those whose rows a save writes, and those of which only a to-many relationship
  /// changed if such a change does not raise versions.
  func rowsToWrite(_ updated: [ManagedObject]) -> (written: [ManagedObject], unwritten: [ManagedObject]) {
    if toManyChangesRaiseVersions { return (updated, []) }
    let isWritten = { (object: ManagedObject) in
      !object.changedSlots.isEmpty || !object.toManys.contains { $0.hasChanges } || object.isDerivedFromToMany
    }
    return (updated.filter(isWritten), updated.filter { !isWritten($0) })
  }

  /// Discards the members that were read of many-to-many and ordered relationships, after a save that met changes of
  /// other contexts: those may have added members, and some of these objects' own changes may have been given up.
  func forgetReadPairs(of objects: [ManagedObject]) {
    for object in objects where !object.toManys.isEmpty {
      object.changeToManys { toManys in
        for place in toManys.indices where !object.entity.toManys[place].followsKeys { toManys[place].base = nil }
      }
    }
  }
}

extension ManagedObject {
  /// Discards the members that were read of all to-many relationships. The next access reads them again.
  func forgetReadToManys() {
    guard !toManys.isEmpty else { return }
    changeToManys { toManys in
      for place in toManys.indices { toManys[place].base = nil }
    }
  }
}
