import MachineCore

// MARK: - Deleting

extension ManagedObjectContext {
  /// Marks an object to be deleted by the next save, and carries out the delete rules of its relationships: at once, or
  /// when pending changes are processed if `propagatesDeletesAtEndOfEvent` is true.
  ///
  /// The rules read the object's row, its to-many relationships, and the rows at their other ends as needed. An object
  /// that was never saved is removed at once, and its rules are always carried out at once. If the object is deleted
  /// already, `prepareForDeletion` is called once more, as was seen on Apple's framework, and the call has no other
  /// effect.
  public func delete(_ object: ManagedObject) {
    checkQueue()
    guard object.registry === registry else {
      trapMisuse("object \(object.objectID) was deleted in context \(name), but belongs to another")
    }
    guard !object.isDeleted else {
      if object.flags.contains(.deleted) { prepareForDeletion(object) }
      return
    }
    object.makeChangeable()
    guard !object.isDeleted else { return }
    prepareForDeletion(object)
    guard !object.isDeleted else { return }
    if propagatesDeletesAtEndOfEvent, !object.isInserted {
      markDeleted(object)
      unpropagatedList.append(object)
      return
    }
    let reach = DeletionReach(object, in: self)
    markDeleted(object)
    propagate(reach, from: object)
  }

  /// Carries out the postponed delete rules, and those of the objects that they delete in turn.
  func propagateDeletions() {
    while !unpropagatedList.isEmpty {
      let objects = unpropagatedList
      unpropagatedList = []
      for object in objects where object.flags.contains(.deleted) {
        propagate(DeletionReach(object, in: self), from: object)
      }
    }
  }

  /// The objects that the delete rules of an object have to consider.
  private struct DeletionReach {
    var far: [(relationship: EntityDescription.ToMany, objects: [ManagedObject])] = []
    var near: [(relationship: EntityDescription.ToOne, object: ManagedObject)] = []

    init(_ object: ManagedObject, in context: ManagedObjectContext) {
      guard object.entity.reachesOthersWhenDeleted else { return }
      for (place, relationship) in object.entity.toManys.enumerated() where relationship.deleteRule.reachesOthers {
        let path = PropertyPath(entity: object.entity.index, slot: place, kind: .toMany)
        far.append((relationship, object.relatedObjectIDs(path).compactMap(context.objectUnlessGone)))
      }
      for (slot, property) in object.entity.slots.enumerated() {
        guard case .toOne(let relationship) = property, relationship.reachesOther,
          case .object(let target) = object.currentValue(at: slot), let related = context.objectUnlessGone(target)
        else { continue }
        near.append((relationship, related))
      }
    }
  }

  private func propagate(_ reach: DeletionReach, from object: ManagedObject) {
    for (relationship, objects) in reach.far {
      // An object that was given to another owner since the deletion is no longer affected.
      for related in objects where !related.isDeleted && related.mayLead(to: object, at: relationship.inverse) {
        switch relationship.deleteRule {
        case .cascade: delete(related)
        case .nullify: related.unlinkInverse(relationship.inverse, from: object)
        case .noAction, .deny: break
        }
      }
    }
    for (relationship, related) in reach.near where !related.isDeleted {
      switch relationship.deleteRule {
      case .cascade: delete(related)
      case .nullify: if let inverse = relationship.inverse { related.unlinkInverse(inverse, from: object) }
      case .noAction, .deny: break
      }
    }
  }

  /// Returns the object with this ID, or nil if it is a new object which the running event has deleted. The ID of such
  /// an object does not identify a row, and a fault for it would be in the way if the deletion is undone.
  private func objectUnlessGone(_ objectID: ObjectID) -> ManagedObject? {
    if let object = registeredObject(for: objectID) { return object }
    return pendingEvent.hasDeletedNew(objectID, identities: coordinator.identities) ? nil : object(with: objectID)
  }

  /// Lists an object as deleted. An object that was never saved is removed from the context instead.
  func markDeleted(_ object: ManagedObject) {
    noteForUndo(object)
    pendingEvent.noteDeleted(object)
    if object.flags.contains(.inserted) {
      retire(object)
      return
    }
    object.flags.remove(.updated)
    object.flags.insert(.deleted)
    object.countChanges()
    tally.objectsDeleted += 1
    deletedList.append(object)
  }
}

extension ManagedObject {
  /// Returns true if a relationship may lead to an object, without reading a to-many relationship to find out.
  fileprivate func mayLead(to target: ManagedObject, at path: PropertyPath) -> Bool {
    if path.isToMany { return true }
    makeChangeable()
    guard !isDeleted, case .object(let objectID) = currentValue(at: path.slot) else { return false }
    // Both of its IDs are compared: an object that was never saved is not registered any more, and children still refer
    // to it by the ID that they know.
    let identities = context.coordinator.identities
    return objectID == target.objectID || identities.canonical(objectID) == identities.canonical(target.objectID)
  }
}
