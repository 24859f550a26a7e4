import MachineCore

// MARK: - Looking up and registering

extension ManagedObjectContext {
  /// The object with this ID if the context has it; never reads.
  ///
  /// An object that contexts above and below each other know goes by its temporary ID after the save too.
  public func registeredObject(for objectID: ObjectID) -> ManagedObject? {
    checkQueue()
    let object = registry.object(for: objectID) ?? registeredAlias(of: objectID)
    object?.touch()
    return object
  }

  /// The object with this ID, as a fault if the context did not have it. Never reads: whether there is such a row shows
  /// when the fault fires.
  public func object(with objectID: ObjectID) -> ManagedObject {
    if let object = registeredObject(for: objectID) { return object }
    return registerFault(coordinator.identities.permanentID(for: objectID) ?? objectID)
  }

  /// The objects that the context has, in the order of their IDs. O(n log n).
  public var registeredObjects: [ManagedObject] {
    checkQueue()
    return registry.allObjects()
  }

  /// Makes a new fault for an ID that the context has not registered.
  func registerFault(_ objectID: ObjectID) -> ManagedObject {
    let object = makeObject(objectID, flags: [])
    registerWithRowCache(objectID)
    return object
  }

  /// Makes an object and enters it into the registry, but not into the row cache.
  func makeObject(_ objectID: ObjectID, flags: ManagedObject.Flags) -> ManagedObject {
    let object = makeUnregistered(objectID, flags: flags)
    registry.register(object)
    return object
  }

  private func makeUnregistered(_ objectID: ObjectID, flags: ManagedObject.Flags) -> ManagedObject {
    let entity = coordinator.model.entities[objectID.entityIndex]
    let object = ManagedObject(entity: entity, objectID: objectID, context: self, flags: flags)
    if coordinator.checksConcurrency { object.flags.insert(.checked) }
    countObjectsRegistered(1)
    footprint.add(object.countRegistered())
    if retainedObjects != nil { retainedObjects?.append(object) }
    pool(object)
    return object
  }

  /// Makes objects under different IDs that the context has not registered, under either of their names. O(n).
  ///
  /// All are entered under one lock. Where a fault stands in for an object to come, that becomes the object.
  func makeObjects(_ objectIDs: [ObjectID], flags: ManagedObject.Flags) -> [ManagedObject] {
    var objects = withMaker(of: objectIDs.count, flags) { make in objectIDs.map(make) }
    countMade(objects)
    for (position, standIn) in registry.register(objects, under: objectIDs) {
      objects[position] = settle(standIn, inPlaceOf: objects[position], flags: flags)
    }
    return objects
  }

  /// Makes faults for such IDs. O(n).
  func makeFaults(_ objectIDs: [ObjectID], flags: ManagedObject.Flags = []) -> [ManagedObject] {
    let objects = makeObjects(objectIDs, flags: flags)
    coordinator.rowCache.register(objectIDs)
    return objects
  }

  /// Objects for the different IDs that a parent found: those the context has, and faults for the others. O(n).
  func registerFaults(_ objectIDs: [ObjectID]) -> [ManagedObject] {
    if coordinator.identities.isUsed { return registerFaultsByAliases(objectIDs) }
    var isKnown: [Bool] = []
    let objects = objects(for: objectIDs, isKnown: &isKnown)
    if isKnown.isEmpty {
      coordinator.rowCache.register(objectIDs)
    } else {
      coordinator.rowCache.register(objectIDs.indices.filter { !isKnown[$0] }.map { objectIDs[$0] })
    }
    return objects
  }

  /// The same for fetched rows, which are entered into the row cache. O(n).
  ///
  /// All that is done to one row after another, and under the locks of registry and row cache once: with a step of its own
  /// over all rows for each of it, a fetch took a quarter longer.
  ///
  /// - Parameters:
  ///   - objectIDs: those of the rows.
  ///   - realises: whether faults get their rows.
  func registerFaults(
    of rows: [StoreRow], _ objectIDs: [ObjectID], realising realises: Bool
  ) throws(PersistenceError) -> [ManagedObject] {
    guard !coordinator.identities.isUsed, try reader === coordinator else {
      let objects = registerFaults(objectIDs)
      try reader.enter(rows.lazy.map { ($0.objectID, $0.row) })
      if realises {
        for (object, row) in zip(objects, rows) { object.realise(with: HeldRow(unretained: row.row)) }
      }
      return objects
    }
    var isKnown: [Bool] = []
    let objects = objects(for: objectIDs, isKnown: &isKnown)
    objects.withHeldReferences { objects in
      coordinator.rowCache.enter(rows, isKnown: isKnown) { position, row in
        if realises { objects[position]._withUnsafeGuaranteedRef { $0.realise(with: row) } }
      }
    }
    return objects
  }

  /// The objects of the registry and new ones, which the row cache does not know of yet.
  private func objects(for objectIDs: [ObjectID], isKnown: inout [Bool]) -> [ManagedObject] {
    let objects = withMaker(of: objectIDs.count, []) { make in
      registry.objects(for: objectIDs, isKnown: &isKnown, making: make)
    }
    var made = objects
    if !isKnown.isEmpty {
      made = []
      for (object, isKnown) in zip(objects, isKnown) {
        guard isKnown else {
          made.append(object)
          continue
        }
        object.touch()
        object.lookForRowAgain()
      }
    }
    countMade(made)
    return objects
  }

  /// Lets `body` make up to so many objects, which are in the pool then and nowhere else. What holds for all of them is
  /// looked at once.
  @inline(__always)
  private func withMaker<Result>(
    of count: Int, _ flags: ManagedObject.Flags, _ body: ((ObjectID) -> ManagedObject) -> Result
  ) -> Result {
    checkQueue()
    let entities = coordinator.model.entities
    let isPooling = blockDepth > 0
    let isChecked = coordinator.checksConcurrency
    var flags = flags
    if isPooling { flags.insert(.pooled) }
    if isChecked { flags.insert(.checked) } else if isPooling { flags.insert(.kept) }
    reserveInPool(count)
    return body { objectID in
      let object = ManagedObject(
        entity: entities[objectID.entityIndex], objectID: objectID, context: self, flags: flags)
      _ = object.countRegistered()
      if isPooling { blockPool.append(.passRetained(object)) }
      return object
    }
  }

  /// Counts objects that were made so, with the same flags.
  private func countMade(_ objects: [ManagedObject]) {
    countObjectsRegistered(objects.count)
    if let first = objects.first { footprint.add(objects.count * first.countedBytes) }
    retainedObjects?.append(contentsOf: objects)
  }

  /// The same where an object may be known by another ID than that which the parent found.
  private func registerFaultsByAliases(_ objectIDs: [ObjectID]) -> [ManagedObject] {
    let known = registry.objects(for: objectIDs)
    var fresh: [ManagedObject] = []
    var objects: [ManagedObject] = []
    objects.reserveCapacity(objectIDs.count)
    for (objectID, known) in zip(objectIDs, known) {
      if let object = known ?? registeredAlias(of: objectID) {
        object.touch()
        object.lookForRowAgain()
        objects.append(object)
      } else {
        let object = makeUnregistered(objectID, flags: [])
        fresh.append(object)
        objects.append(object)
      }
    }
    registry.register(fresh)
    coordinator.rowCache.register(fresh.heldObjectIDs)
    return objects
  }

  /// The object that the context has under another ID of the same object.
  private func registeredAlias(of objectID: ObjectID) -> ManagedObject? {
    coordinator.identities.firstAlias(of: objectID, registry.object)
  }
}

// MARK: - Firing faults

extension ManagedObjectContext {
  /// Gives a fault, or an object of which only some properties were read, its values.
  ///
  /// From the parent context by `performAndWait`, or from the row cache, or by one SELECT.
  func fulfill(_ object: ManagedObject) throws(PersistenceError) {
    if try readRow(of: object) { return }
    guard shouldDeleteInaccessibleFaults else { throw Self.missingRow(of: object) }
    object.flags.insert(.inaccessible)
    object.snapshot = Row.empty(slotCount: object.entity.slots.count)
  }

  /// Reads an object's row.
  ///
  /// - Returns: false = there is none, and the object is as it was.
  func readRow(of object: ManagedObject) throws(PersistenceError) -> Bool {
    let row = try machine.during(.fault, of: 1, in: name) { () throws(PersistenceError) -> Row? in
      machine.account(Work(.faultFired))
      return try currentRow(for: object.objectID)
    }
    guard let row else { return false }
    object.snapshot = row
    awakeFromFetch(object)
    return true
  }

  /// The row of an object as the parent has it now; nil = it has none.
  func currentRow(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    reportFootprint()
    guard let parent else { return try reader.row(for: objectID, stalenessInterval: stalenessInterval) }
    return try parent.performAndWait { () throws(PersistenceError) -> Row? in
      try parent.rowForChild(objectID)
    }
  }

  /// What a child sees of an object: its values here, unsaved changes included; nil = deleted or not there.
  func rowForChild(_ objectID: ObjectID) throws(PersistenceError) -> Row? {
    machine.account(Work(.rowShared))
    let object = object(with: objectID)
    if object.isDeleted { return nil }
    if !object.isWhole { try fulfill(object) }
    if object.isDeleted { return nil }
    share(object)
    guard let row = object.changedRow else { return object.snapshot }
    if row.refersToTemporary {
      for slot in 0..<row.slotCount {
        guard let target = row.objectID(at: slot), target.isTemporaryID else { continue }
        if let related = registry.object(for: target) { share(related) }
      }
    }
    return object.shareRow()
  }

  /// Notes that a context below knows the temporary ID of a new object, so that the save remembers what became of it.
  func share(_ object: ManagedObject) {
    if object.flags.contains(.inserted) { object.flags.insert(.shared) }
  }
}
