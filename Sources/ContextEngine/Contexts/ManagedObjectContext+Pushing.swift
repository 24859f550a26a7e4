import MachineCore

// MARK: - Saving into a parent context

extension ManagedObjectContext {
  /// Copies every change into the parent context, on the parent's queue, while this context waits.
  func save(_ changes: Changes, into parent: ManagedObjectContext) throws(PersistenceError) {
    let watched = watchedObjects
    try inParentBlock(of: parent) { () throws(PersistenceError) in
      try parent.receive(changes, from: self)
      for (object, base) in watched { parent.watch(parent.object(with: object.objectID), base: base) }
    }
    watchedList = []
    for list in [changes.inserted, changes.updated] {
      list.forEachHeld { object in
        object.settleOnSharedRow()
        becomeClean(object)
      }
    }
    for object in changes.deleted { retire(object) }
  }

  /// Takes over a child's changes: new objects under their temporary IDs, and only the changed properties of changed
  /// objects, so that the last writer wins for each property. Versions are not compared between contexts.
  private func receive(_ changes: Changes, from child: ManagedObjectContext) throws(PersistenceError) {
    try recorder.during(.push, of: changes.count, in: name) { () throws(PersistenceError) in
      // All faults are fulfilled first: if one cannot be, no change has been taken over yet.
      let changing = try targets(of: changes.updated)
      let deleting = try targets(of: changes.deleted)
      receiveInsertions(changes.inserted)
      for (source, object) in zip(changes.updated, changing) where !object.isDeleted {
        receiveSlots(of: source, into: object)
        receiveToManys(of: source, into: object)
      }
      for object in deleting where !object.isDeleted {
        prepareForDeletion(object)
        if !object.isDeleted { markDeleted(object) }
      }
      let insertions = changes.inserted.count
      if insertions > 0 { machine.account(Work(.insertionPushed, count: insertions)) }
      if changes.count > insertions { machine.account(Work(.objectPushed, count: changes.count - insertions)) }
      processPendingChanges(origin: .push(from: child))
      reportWork()
    }
  }

  /// Creates an object with its row for each of a child's new objects.
  private func receiveInsertions(_ sources: [ManagedObject]) {
    if sources.isEmpty { return }
    guard !coordinator.model.hooks.contains(.awakeFromInsert) else {
      // Objects are made one after the other: a callback must not see a later one as an object without values.
      for source in sources {
        let object = insertBlanks([source.objectID], flags: .shared)[0]
        awakeFromPush(object)
        receive(source, into: object)
      }
      return
    }
    let objects = insertBlanks(sources.heldObjectIDs, flags: .shared)
    var position = 0
    sources.forEachHeld { source in
      receive(source, into: objects[position])
      position += 1
    }
  }

  private func receive(_ source: ManagedObject, into object: ManagedObject) {
    object.setChangedRow(source.shareRow())
    object.changedSlots = object.withEntity(\.everySlot)
    if !source.toManys.isEmpty { receiveToManys(of: source, into: object) }
  }

  /// Returns the objects of this context that correspond to a child's objects. Faults among them are fulfilled unless
  /// they are deleted.
  private func targets(of sources: [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    var targets: [ManagedObject] = []
    targets.reserveCapacity(sources.count)
    for source in sources {
      let object = object(with: source.objectID)
      if !object.isDeleted { try object.fulfillFault() }
      targets.append(object)
    }
    return targets
  }

  private func receiveSlots(of source: ManagedObject, into object: ManagedObject) {
    noteChange(of: object, slots: source.changedSlots)
    if object.changedRow == nil, let base = object.snapshot, base === source.snapshot {
      // The slots that the child did not change have the same values here.
      object.setChangedRow(source.shareRow())
    } else {
      object.setChangedRow(object.currentRow.replacing(source.changedSlots, by: source.currentRow))
    }
  }

  private func receiveToManys(of source: ManagedObject, into object: ManagedObject) {
    for (index, state) in source.toManys.enumerated() where state.hasChanges {
      noteChange(of: object, slots: [])
      let relationship = object.entity.toManys[index]
      object.prepareToManys()
      object.changeToManys { toManys in
        guard relationship.followsKeys else {
          toManys[index].receive(state, isOrdered: relationship.isOrdered, identities: coordinator.identities)
          return
        }
        for objectID in state.added { toManys[index].add(objectID, identities: coordinator.identities) }
        for objectID in state.removed { toManys[index].remove(objectID, identities: coordinator.identities) }
      }
    }
  }
}
