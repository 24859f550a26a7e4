import MachineCore

// MARK: - Deleting

extension ManagedObjectContext {
  /// Deletes an object at the next save, and carries out the delete rules of its relationships: now, or when pending changes
  /// are processed where `propagatesDeletesAtEndOfEvent` says so.
  ///
  /// The rules read what they need: the object's row, its to-many relationships, and the rows at their other ends. An object
  /// that was never saved is gone at once, and its rules are always carried out now. An object that is deleted already is
  /// asked to prepare once more, as was seen on Apple's framework, and nothing else happens.
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

  /// Carries out the delete rules that were put off, and those of what they delete in turn.
  func propagateDeletions() {
    while !unpropagatedList.isEmpty {
      let objects = unpropagatedList
      unpropagatedList = []
      for object in objects where object.flags.contains(.deleted) {
        propagate(DeletionReach(object, in: self), from: object)
      }
    }
  }

  /// What the relationships of a deleted object lead to, of those whose rules concern it.
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
        guard case .toOne(let relationship) = property, relationship.deleteRule.reachesOthers,
          case .object(let target) = object.currentValue(at: slot), let related = context.objectUnlessGone(target)
        else { continue }
        near.append((relationship, related))
      }
    }
  }

  private func propagate(_ reach: DeletionReach, from object: ManagedObject) {
    for (relationship, objects) in reach.far {
      // What was given to another object since the deletion does not concern it any more.
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
      case .nullify: related.unlinkInverse(relationship.inverse, from: object)
      case .noAction, .deny: break
      }
    }
  }

  /// The object with this ID; nil where that is a new one which the running event has deleted: its ID leads to nothing any
  /// more, and a fault for it would stand in the way when the deletion is undone.
  private func objectUnlessGone(_ objectID: ObjectID) -> ManagedObject? {
    if let object = registeredObject(for: objectID) { return object }
    return pendingEvent.hasDeletedNew(objectID, coordinator.identities) ? nil : object(with: objectID)
  }

  /// Lists an object as deleted; one that was never saved just goes.
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
  /// Whether a relationship can lead to an object, as far as that shows without reading a to-many relationship.
  fileprivate func mayLead(to target: ManagedObject, at path: PropertyPath) -> Bool {
    if path.isToMany { return true }
    makeChangeable()
    guard !isDeleted, case .object(let objectID) = currentValue(at: path.slot) else { return false }
    // By both of its IDs: one that was never saved is not registered any more, and children go on naming it as they knew it.
    let identities = context.coordinator.identities
    return objectID == target.objectID || identities.canonical(objectID) == identities.canonical(target.objectID)
  }
}
