import MachineCore

// MARK: - Inserting, deleting, tracking

extension ManagedObjectContext {
  /// New objects that have not been saved to the parent, in the order in which they were made.
  public var insertedObjects: [ManagedObject] { insertedList.filter { $0.flags.contains(.inserted) } }

  /// Changed objects, in the order in which they changed first.
  public var updatedObjects: [ManagedObject] { updatedList.filter { $0.flags.contains(.updated) } }

  /// Objects that the next save deletes.
  public var deletedObjects: [ManagedObject] { deletedList.filter { $0.flags.contains(.deleted) } }

  /// Whether a save would have something to do. O(changes) at worst, O(1) as a rule.
  public var hasChanges: Bool {
    insertedList.contains { $0.flags.contains(.inserted) } || updatedList.contains { $0.flags.contains(.updated) }
      || deletedList.contains { $0.flags.contains(.deleted) }
  }

  /// Makes a new object with the defaults of its entity and a temporary ID. Traps where the entity is abstract.
  public func insert(_ entity: EntityDescription) -> ManagedObject {
    checkQueue()
    if entity.isAbstract {
      trapMisuse("an object of entity \(entity.name) was inserted, which is abstract; insert one of a subentity")
    }
    let object = insertBlank(coordinator.identities.makeTemporaryID(entity: entity.index))
    object.setChangedValues(entity.defaultValues)
    awakeFromInsert(object)
    return object
  }

  /// Makes a new object without values under a given temporary ID and lists it as inserted.
  func insertBlank(_ objectID: ObjectID) -> ManagedObject {
    let object = makeObject(objectID, flags: [.inserted])
    coordinator.rowCache.register(objectID)
    insertedList.append(object)
    pendingEvent.noteInserted(object)
    return object
  }

  /// Deletes an object at the next save, and now carries out the delete rules of its relationships.
  ///
  /// Reads what the rules need: the object's row, its to-many relationships, and the rows at their other ends. Core Data
  /// puts the rules off to the end of the event.
  public func delete(_ object: ManagedObject) {
    checkQueue()
    guard object.registry === registry else {
      trapMisuse("object \(object.objectID) was deleted in context \(name), but belongs to another")
    }
    guard !object.isDeleted else { return }
    object.makeChangeable()
    guard !object.isDeleted else { return }
    prepareForDeletion(object)
    guard !object.isDeleted else { return }
    let far = object.entity.toManys.enumerated().filter { $1.deleteRule.reachesOthers }.map { index, toMany in
      let path = PropertyPath(entity: object.entity.index, slot: index, kind: .toMany)
      return (rule: toMany.deleteRule, inverse: toMany.inverse, objects: object.relatedObjects(path))
    }
    let near = object.entity.slots.indices.compactMap { slot -> (EntityDescription.ToOne, ManagedObject)? in
      guard case .toOne(let relationship) = object.entity.slots[slot], relationship.deleteRule.reachesOthers,
        case .object(let target) = object.currentValues[slot]
      else { return nil }
      return (relationship, self.object(with: target))
    }
    markDeleted(object)
    for (rule, inverse, objects) in far {
      for related in objects where !related.isDeleted {
        switch rule {
        case .cascade: delete(related)
        case .nullify: related.unlinkInverse(inverse, from: object)
        case .noAction, .deny: break
        }
      }
    }
    for (relationship, related) in near where !related.isDeleted {
      switch relationship.deleteRule {
      case .cascade: delete(related)
      case .nullify: related.unlinkInverse(relationship.inverse, from: object)
      case .noAction, .deny: break
      }
    }
  }

  /// Lists an object as deleted; one that was never saved just goes.
  func markDeleted(_ object: ManagedObject) {
    pendingEvent.noteDeleted(object)
    if object.flags.contains(.inserted) {
      retire(object)
      return
    }
    object.flags.remove(.updated)
    object.flags.insert(.deleted)
    object.countChanges()
    deletedList.append(object)
  }

  /// Records that an object changed in the given slots; none = a to-many relationship.
  func noteChange(of object: ManagedObject, slots: UInt64) {
    object.changedSlots |= slots
    object.eventSlots |= slots
    if object.flags.isDisjoint(with: [.inserted, .updated, .deleted]) {
      if ignoresChanges { return }
      object.flags.insert(.updated)
      object.countChanges()
      updatedList.append(object)
    }
    pendingEvent.noteUpdated(object)
  }
}

// MARK: - Giving changes up

extension ManagedObjectContext {
  /// Gives up every unsaved change: new objects go, changed and deleted ones return to their last saved state.
  public func rollback() {
    checkQueue()
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
    for object in returning + restored { awakeFromSnapshotEvents(object, .rollback) }
    processPendingChanges()
  }

  /// Drops every registered object; references to them may not be used again.
  ///
  /// Controllers get no event for each object: they are empty until they fetch again. O(n log n).
  public func reset() {
    checkQueue()
    processPendingChanges()
    for list in [insertedList, updatedList, deletedList] {
      for object in list { object.flags.subtract([.inserted, .updated, .deleted]) }
    }
    forgetChanges()
    let departed = registry.takeDeparted()
    let living = registry.dropAll()
    for object in living { object.flags.remove(.kept) }
    unregister(departed, living)
    pendingEvent = PendingEvent()
    advancingGeneration {}
    controllers.notify(.invalidatedAll)
    post(ChangeNotification(context: self, origin: .reset, invalidatedAll: true))
  }

  /// Brings an object to the state that the row cache or the parent context has.
  ///
  /// - Parameter mergeChanges: true = reads the row again and puts local changes on top, which never conflicts; false =
  ///   gives up local changes and turns the object into a fault.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws(PersistenceError) {
    guard !object.isInserted, !object.isDeleted else { return }
    object.touch()
    if mergeChanges {
      guard !object.isFault else { return }
      try refreshValues(of: object)
      return
    }
    if object.flags.contains(.updated) {
      object.flags.remove(.updated)
      updatedList.removeAll { $0 === object }
    }
    discardChanges(of: object)
    turnIntoFault(object)
    // What the next access will bring is not known.
    pendingEvent.noteRefreshed(object, slots: Row.allSlots)
  }

  /// Reads the row of a realised object again and puts its local changes on top.
  func refreshValues(of object: ManagedObject) throws(PersistenceError) {
    guard let row = try currentRow(for: object.objectID) else {
      mergeDeletion(of: object)
      return
    }
    rebase(object, onto: row)
  }

  /// Puts an object's local changes on top of another state of its row, and lists it as refreshed.
  func rebase(_ object: ManagedObject, onto row: Row) {
    let before = object.currentValues
    if let local = object.changedValues {
      var values = row.values
      for slot in values.indices where object.changedSlots & (1 << UInt64(slot)) != 0 {
        values[slot] = local[slot]
      }
      object.setChangedValues(object.changedSlots == 0 ? nil : values)
    }
    object.snapshot = row
    if !object.toManys.isEmpty {
      object.changeToManys { toManys in
        for index in toManys.indices { toManys[index].base = nil }
      }
    }
    let after = object.currentValues
    var slots: UInt64 = 0
    for slot in after.indices where before[slot] != after[slot] { slots |= 1 << UInt64(slot) }
    pendingEvent.noteRefreshed(object, slots: slots)
    awakeFromSnapshotEvents(object, .refresh)
  }

  /// Takes an object out that another context has deleted.
  func mergeDeletion(of object: ManagedObject) {
    pendingEvent.noteDeleted(object)
    retire(object)
  }

  /// Takes an object that has ended out of the registry; references to it may still read the values that it has.
  func retire(_ object: ManagedObject) {
    object.flags.subtract([.inserted, .updated, .deleted])
    object.flags.insert([.gone, .kept])
    registry.depart(object)
  }

  /// Gives an object's changes up and lists it as refreshed.
  private func discardChanges(of object: ManagedObject) {
    pendingEvent.noteRefreshed(object, slots: object.changedSlots)
    object.setChangedValues(nil)
    object.changedSlots = 0
    object.flags.subtract([.updated, .deleted])
    object.countChanges()
    guard !object.toManys.isEmpty else { return }
    object.changeToManys { toManys in
      for index in toManys.indices { toManys[index].forgetChanges() }
    }
  }

  /// Empties the lists of changed objects.
  func forgetChanges() {
    for list in [insertedList, updatedList, deletedList] {
      for object in list { object.changedSlots = 0 }
    }
    insertedList = []
    updatedList = []
    deletedList = []
  }
}
