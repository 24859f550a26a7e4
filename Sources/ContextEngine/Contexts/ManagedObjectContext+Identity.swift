import MachineCore

// MARK: - Permanent IDs before a save

extension ManagedObjectContext {
  /// Gives new objects, before they are saved, the IDs that they will have in the store.
  ///
  /// A separate transaction reserves keys in the store. It is requested through every parent, so the call blocks on
  /// their queues, on the writer's turn and on the disk. The objects remain new. Parents that have them too give them
  /// the same IDs, and temporary IDs that are used later are resolved to the permanent ones. Objects that have been
  /// saved somewhere above get the IDs that they have there. O(objects + unsaved objects of each level).
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
    _ = try recorder.during(.save, of: temporaryIDs.count, in: name) { () throws(PersistenceError) in
      try obtainPermanentIDs(for: temporaryIDs)
    }
    reportWork()
  }

  /// Obtains permanent IDs for objects of this context or of a context below, and gives them to the objects that are
  /// registered here.
  ///
  /// - Returns: The permanent IDs, in the order of the temporary ones.
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

  /// Replaces the temporary IDs of the objects in this context, and every reference to them, by permanent IDs.
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
  /// Replaces temporary IDs in relationships by permanent ones. This does not count as a change, as the targets stay
  /// the same.
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
  /// Returns the IDs that objects have in the store, and reserves IDs for those that are not saved yet. Blocks on the
  /// writer's turn.
  fileprivate func obtainPermanentIDs(for temporaryIDs: [ObjectID]) throws(PersistenceError) -> [ObjectID] {
    try writing { () throws(PersistenceError) -> [ObjectID] in
      let unsaved = temporaryIDs.filter { identities.permanentID(for: $0) == nil }
      let reserved = try reservePermanentIDs(for: unsaved)
      // All of them are recorded, because rows in memory and contexts below may refer to any of them.
      rowCache.adopt(reserved, remembering: reserved)
      if attachedStores.areSeveral { attachedStores.forgetAssignments(of: reserved.lazy.map(\.temporary)) }
      return temporaryIDs.map(identities.canonical)
    }
  }

  /// Reserves a key for each new object, in the order of the given IDs. The caller holds the writer's turn.
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
