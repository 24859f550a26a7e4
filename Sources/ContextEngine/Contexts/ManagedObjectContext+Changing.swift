import MachineCore

// MARK: - Inserting, tracking

extension ManagedObjectContext {
  /// The new objects that have not been saved to the parent, in the order in which they were made.
  public var insertedObjects: [ManagedObject] {
    checkQueue()
    return insertedList.thoseHeld { $0.flags.contains(.inserted) }
  }

  /// The changed objects, in the order in which they first changed.
  public var updatedObjects: [ManagedObject] {
    checkQueue()
    return updatedList.thoseHeld { $0.flags.contains(.updated) }
  }

  /// The objects that the next save deletes.
  public var deletedObjects: [ManagedObject] {
    checkQueue()
    return deletedList.thoseHeld { $0.flags.contains(.deleted) }
  }

  /// True if the context has changes to save. O(1) as a rule, O(changes) at worst.
  public var hasChanges: Bool {
    checkQueue()
    return insertedList.contains { $0.flags.contains(.inserted) }
      || updatedList.contains { $0.flags.contains(.updated) }
      || deletedList.contains { $0.flags.contains(.deleted) }
  }

  /// Creates a new object with the default values of its entity and a temporary ID. Traps if the entity is abstract.
  public func insert(_ entity: EntityDescription) -> ManagedObject {
    checkQueue()
    if entity.isAbstract {
      trapMisuse("an object of entity \(entity.name) was inserted, which is abstract; insert one of a subentity")
    }
    let object = insertBlank(coordinator.identities.makeTemporaryID(entity: entity.index))
    object.setChangedRow(entity.makeRow())
    awakeFromInsert(object)
    return object
  }

  /// Creates a new object without values under an ID that is not in use yet, and lists it as inserted.
  private func insertBlank(_ objectID: ObjectID) -> ManagedObject {
    let object = makeObject(objectID, flags: [.inserted])
    registerWithRowCache(objectID)
    insertedList.append(object)
    changeRecorder?.noteInsertion(of: object)
    pendingEvent.noteInserted(object)
    return object
  }

  /// Creates new objects without values under the given IDs and lists them as inserted. O(n).
  func insertBlanks(_ objectIDs: [ObjectID], flags: ManagedObject.Flags) -> [ManagedObject] {
    let objects = makeObjects(objectIDs, flags: [.inserted, .eventInserted, flags])
    registerWithRowCache(objectIDs)
    insertedList.append(allOf: objects)
    if let changeRecorder { objects.forEachHeld { changeRecorder.noteInsertion(of: $0) } }
    pendingEvent.noteMade(objects)
    return objects
  }

  /// Records that an object changed in the given slots, which are none if a to-many relationship changes.
  ///
  /// It is called before the change is made, so that an undo can restore the earlier state.
  func noteChange(of object: ManagedObject, slots: SlotSet) {
    // Changes of an object that the next save deletes are not reported, and only a rollback can undo them.
    guard !object.flags.contains(.deleted) else {
      object.changedSlots.formUnion(slots)
      return
    }
    if changeRecorder != nil, !ignoresChanges { noteForUndo(object) }
    object.changedSlots.formUnion(slots)
    object.eventSlots.formUnion(slots)
    if object.flags.isDisjoint(with: [.inserted, .updated, .deleted]) {
      if ignoresChanges { return }
      object.flags.insert(.updated)
      object.countChanges()
      tally.objectsChanged += 1
      updatedList.append(object)
    }
    pendingEvent.noteRow(before: object)
    pendingEvent.noteUpdated(object)
  }
}

// MARK: - Discarding changes

extension ManagedObjectContext {
  /// Discards every unsaved change: new objects leave the context, changed and deleted ones return to their last saved
  /// state.
  public func rollback() {
    checkQueue()
    changeRecorder?.forgetAll()
    unpropagatedList = []
    watchedList = []
    for object in insertedList where object.flags.contains(.inserted) {
      pendingEvent.noteDeleted(object)
      retire(object)
    }
    let returning = updatedObjects
    for object in returning { discardChanges(of: object) }
    let restored = deletedObjects
    pendingEvent.noteRestored(restored)
    for object in restored { discardChanges(of: object) }
    forgetChanges()
    restored.forEach(catchUp)
    for object in returning + restored { awakeFromSnapshotEvents(object, events: .rollback) }
    processPendingChanges()
  }

  /// Drops every registered object. References to the objects may not be used again.
  ///
  /// The context posts one did-change with `invalidatedAll`. Changes that were not processed yet are not reported.
  /// Fetched results controllers are empty until they fetch again. O(n log n).
  public func reset() {
    checkQueue()
    endConfinedBlock()
    changeRecorder?.forgetAll()
    watchedList = []
    unpropagatedList = []
    if retainedObjects != nil { retainedObjects = [] }
    for list in [insertedList, updatedList, deletedList] {
      for object in list { object.flags.subtract([.inserted, .updated, .deleted]) }
    }
    pendingEvent.drop()
    forgetChanges()
    let departed = registry.takeDeparted()
    let living = registry.dropAll()
    for object in living { object.flags.remove(.kept) }
    unregister(departed, living: living)
    advancingGeneration {}
    controllers.notify(.invalidatedAll)
    post(ChangeNotification(context: self, origin: .reset, invalidatedAll: true))
  }

  /// Updates an object to the state in the row cache or the parent context. Has no effect on new and deleted objects.
  ///
  /// - Parameters:
  ///   - object: The object to update.
  ///   - mergeChanges: If true, reads the row again and applies the local changes to it, which never conflicts. If
  ///     false, discards the local changes and turns the object into a fault.
  /// - Throws: `PersistenceError` if the row cannot be read.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws(PersistenceError) {
    object.lookForRowAgain()
    guard !object.isInserted, !object.isDeleted else { return }
    object.touch()
    if mergeChanges {
      guard !object.isFault else {
        object.forgetReadToManys()
        return
      }
      try refreshValues(of: object)
      return
    }
    if object.flags.contains(.updated) {
      object.flags.remove(.updated)
      updatedList.removeAll { $0 === object }
    }
    discardChanges(of: object)
    turnIntoFault(object)
    // The values that the next access will read are not known yet.
    pendingEvent.noteRefreshed(object, slots: .all)
  }

  /// Reads the row of a realised object again and applies the object's local changes to it.
  func refreshValues(of object: ManagedObject) throws(PersistenceError) {
    guard let row = try currentRow(for: object.objectID) else {
      mergeDeletion(of: object)
      return
    }
    rebase(object, onto: row)
  }

  /// Reads the row of an object whose deletion was discarded, if a change of the row was merged since the deletion. An
  /// object whose row cannot be read becomes a fault.
  func catchUp(_ object: ManagedObject) {
    guard object.flags.remove(.outdated) != nil, !object.isFault else { return }
    do throws(PersistenceError) { try refreshValues(of: object) } catch { turnIntoFault(object) }
  }

  /// Applies an object's local changes to another state of its row, and lists the object as refreshed.
  func rebase(_ object: ManagedObject, onto row: Row) {
    let row = row.keepingTransientValues(of: object)
    let before = object.currentRow
    if let local = object.changedRow {
      object.setChangedRow(object.changedSlots.isEmpty ? nil : row.replacing(object.changedSlots, by: local))
    }
    object.snapshot = row
    object.forgetReadToManys()
    pendingEvent.noteRefreshed(object, slots: object.currentRow.slotsDiffering(from: before))
    awakeFromSnapshotEvents(object, events: .refresh)
  }

  /// Removes an object that another context has deleted, along with unsaved links to it.
  func mergeDeletion(of object: ManagedObject) {
    withdrawUnsavedLinks(to: object)
    pendingEvent.noteDeleted(object)
    retire(object)
  }

  /// Marks an object as gone and removes it from the registry. References to it may still read the values that it has.
  func retire(_ object: ManagedObject) {
    retire([object])
  }

  /// Marks objects as gone and removes them from the registry. References to them may still read the values that they
  /// have. O(n).
  func retire(_ objects: [ManagedObject]) {
    objects.forEachHeld { object in
      object.flags.subtract([.inserted, .updated, .deleted])
      object.flags.insert([.gone, .kept])
    }
    registry.depart(objects)
  }

  /// Discards an object's changes and lists it as refreshed.
  private func discardChanges(of object: ManagedObject) {
    pendingEvent.noteRefreshed(object, slots: object.changedSlots)
    object.setChangedRow(nil)
    object.changedSlots = SlotSet()
    object.flags.subtract([.updated, .deleted])
    object.countChanges()
    guard !object.toManys.isEmpty else { return }
    object.changeToManys { toManys in
      for index in toManys.indices { toManys[index].forgetChanges() }
    }
  }

  /// Empties the lists of changed objects.
  func forgetChanges() {
    insertedList.forEachHeld { $0.changedSlots = SlotSet() }
    updatedList.forEachHeld { $0.changedSlots = SlotSet() }
    deletedList.forEachHeld { $0.changedSlots = SlotSet() }
    insertedList = []
    updatedList = []
    if retainedObjects != nil, !deletedList.isEmpty { retainedObjects?.removeAll { $0.flags.contains(.gone) } }
    deletedList = []
  }
}
