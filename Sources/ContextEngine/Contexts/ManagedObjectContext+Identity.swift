import MachineCore

// MARK: - Permanent IDs before a save

extension ManagedObjectContext {
  /// Gives new objects the IDs under which the store will know them, before they are saved.
  ///
  /// Keys are reserved in the store by a transaction of their own, asked for through every parent: blocks on their queues, on
  /// the writer's turn and the disk. The objects are as new as before; parents that have them too give them the same IDs,
  /// and so does everybody who comes by the temporary ones later. Objects that have been saved somewhere above get the IDs
  /// that they have there. O(objects + unsaved objects of each level).
  ///
  /// - Throws: `PersistenceError` of the store; no ID has changed then.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws(PersistenceError) {
    checkQueue()
    var temporaryIDs: [ObjectID] = []
    var seen: Set<ObjectID> = []
    for object in objects {
      guard object.registry === registry else {
        trapMisuse(
          "context \(name) was asked for a permanent ID of object \(object.objectID), which belongs to another")
      }
      if object.objectID.isTemporaryID, !object.isDeleted, seen.insert(object.objectID).inserted {
        temporaryIDs.append(object.objectID)
      }
    }
    guard !temporaryIDs.isEmpty else { return }
    _ = try machine.during(.save, of: temporaryIDs.count, in: name) { () throws(PersistenceError) in
      try obtainPermanentIDs(for: temporaryIDs)
    }
    reportWork()
  }

  /// - Returns: the permanent IDs, in step with the temporary ones.
  private func obtainPermanentIDs(for temporaryIDs: [ObjectID]) throws(PersistenceError) -> [ObjectID] {
    reportFootprint()
    let permanentIDs: [ObjectID]
    if let parent {
      permanentIDs = try parent.performAndWait { () throws(PersistenceError) -> [ObjectID] in
        try parent.obtainPermanentIDs(for: temporaryIDs)
      }
    } else {
      permanentIDs = try coordinator.obtainPermanentIDs(for: temporaryIDs)
    }
    adopt(Array(zip(temporaryIDs, permanentIDs)))
    return permanentIDs
  }

  /// Moves the context's own objects from temporary IDs to permanent ones, and every reference to them.
  private func adopt(_ pairs: [(temporary: ObjectID, permanent: ObjectID)]) {
    var found: [(temporary: ObjectID, permanent: ObjectID)] = []
    var moved: [ManagedObject] = []
    var oldIDs: [ObjectID] = []
    for (temporary, permanent) in pairs {
      guard let object = registry.object(for: temporary) else { continue }
      found.append((temporary, permanent))
      object.objectID = permanent
      moved.append(object)
      oldIDs.append(temporary)
    }
    guard !moved.isEmpty else { return }
    registry.rekey(moved, from: oldIDs)
    noteRenamed(pairs)
    let known = PermanentIDs(found)
    for object in insertedObjects + updatedObjects { object.replaceIDs(known) }
    if !controllers.isEmpty { controllers.notify(.rekeyed(known)) }
  }
}

extension ManagedObject {
  /// Puts permanent IDs in the place of temporary ones in relationships. No change: they lead where they led.
  fileprivate func replaceIDs(_ permanentIDs: PermanentIDs) {
    for slot in entity.slots.indices {
      guard case .object(let target) = currentValue(at: slot), let permanent = permanentIDs[target] else { continue }
      write(.object(permanent), at: slot)
    }
    guard !toManys.isEmpty else { return }
    changeToManys { toManys in
      for place in toManys.indices { toManys[place].rekey(permanentIDs) }
    }
  }
}

extension PersistentStoreCoordinator {
  /// The IDs that objects have in the store, reserved there for those that are not saved yet. Blocks on the writer's turn.
  fileprivate func obtainPermanentIDs(for temporaryIDs: [ObjectID]) throws(PersistenceError) -> [ObjectID] {
    try writing { () throws(PersistenceError) -> [ObjectID] in
      let unsaved = temporaryIDs.filter { identities.permanentID(for: $0) == nil }
      let reserved = try reservePermanentIDs(for: unsaved)
      // All remembered: rows in memory and contexts below may hold any of them.
      rowCache.adopt(reserved, remembering: reserved)
      if attachedStores.areSeveral { attachedStores.forgetAssignments(of: reserved.lazy.map(\.temporary)) }
      return temporaryIDs.map(identities.canonical)
    }
  }

  /// Gives each new object a key; keys follow the order of the IDs given. The caller holds the writer's turn.
  func reservePermanentIDs(
    for temporaryIDs: [ObjectID]
  ) throws(PersistenceError) -> [(temporary: ObjectID, permanent: ObjectID)] {
    let entityCount = model.entities.count
    let numbers = attachedStores.areSeveral ? try attachedStores.numbers(forNew: temporaryIDs, model) : nil
    // One place for each root entity of each store: entities that inherit from one another share a table, and its keys.
    let roots = model.entities.map(\.root.index)
    let places = temporaryIDs.indices.map { offset in
      (numbers?[offset] ?? 0) * entityCount + roots[temporaryIDs[offset].entityIndex]
    }
    var counts = Array(repeating: 0, count: (1 + (numbers?.max() ?? 0)) * entityCount)
    for place in places { counts[place] += 1 }
    let requests = counts.indices.filter { counts[$0] > 0 }.map { place in
      KeyRequest(entity: model.entities[place % entityCount], count: counts[place], store: place / entityCount)
    }
    guard !requests.isEmpty else { return [] }
    let firstKeys = try store.reserveKeys(requests)
    var next = Array(repeating: Int64(0), count: counts.count)
    for (request, key) in zip(requests, firstKeys) { next[request.store * entityCount + request.entity.index] = key }
    var reserved: [(temporary: ObjectID, permanent: ObjectID)] = []
    reserved.reserveCapacity(temporaryIDs.count)
    for (temporary, place) in zip(temporaryIDs, places) {
      reserved.append((temporary, ObjectID(entity: temporary.entityIndex, key: next[place])))
      next[place] += 1
    }
    return reserved
  }
}
