import MachineCore

// MARK: - Looking up and registering

extension ManagedObjectContext {
  /// Returns the object with this ID if it is registered in the context, otherwise nil. Never reads from the store.
  ///
  /// If contexts above and below each other share an object, it is found by its temporary ID after the save too.
  public func registeredObject(for objectID: ObjectID) -> ManagedObject? {
    checkQueue()
    let object = registry.object(for: objectID) ?? registeredAlias(of: objectID)
    object?.touch()
    return object
  }

  /// Returns the object with this ID, as a fault if it was not registered in the context. Never reads from the store:
  /// if the row does not exist, that is noticed only when the fault fires.
  public func object(with objectID: ObjectID) -> ManagedObject {
    if let object = registeredObject(for: objectID) { return object }
    return registerFault(coordinator.identities.permanentID(for: objectID) ?? objectID)
  }

  /// The objects that are registered in the context, in the order of their IDs. O(n log n).
  public var registeredObjects: [ManagedObject] {
    checkQueue()
    return registry.allObjects()
  }

  /// The number of objects that are registered in the context. Any thread may read it.
  package var registeredCount: Int { registry.count }

  /// Creates a fault for an ID that is not registered in the context.
  func registerFault(_ objectID: ObjectID) -> ManagedObject {
    let object = makeObject(objectID, flags: [])
    registerWithRowCache(objectID)
    return object
  }

  /// Creates an object and enters it into the registry, but not into the row cache.
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

  /// Creates objects for distinct IDs, none of which is registered in the context under either its temporary or its
  /// permanent ID. O(n).
  ///
  /// All objects are entered under one lock. If a stand-in fault exists for one of them, that fault becomes the object.
  func makeObjects(_ objectIDs: [ObjectID], flags: ManagedObject.Flags) -> [ManagedObject] {
    var objects = withMaker(of: objectIDs.count, flags: flags) { make in objectIDs.map(make) }
    countMade(objects)
    for (position, standIn) in registry.register(objects, under: objectIDs) {
      objects[position] = settle(standIn, inPlaceOf: objects[position], flags: flags)
    }
    return objects
  }

  /// Creates faults for distinct IDs that are not registered in the context, and registers them with the row cache.
  /// O(n).
  func makeFaults(_ objectIDs: [ObjectID], flags: ManagedObject.Flags = []) -> [ManagedObject] {
    let objects = makeObjects(objectIDs, flags: flags)
    coordinator.rowCache.register(objectIDs)
    return objects
  }

  /// Returns objects for the distinct IDs that a parent found: those that are registered, and faults for the others.
  /// O(n).
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

  /// Returns objects for fetched rows, as `registerFaults(_:)` does, and enters the rows into the row cache. If
  /// `realises` is true, faults get their rows. O(n).
  ///
  /// Each row is processed completely before the next, and the locks of the registry and the row cache are taken once.
  /// With a separate pass over all rows for each step, a fetch took a quarter longer.
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

  /// Returns the registered objects with the given IDs and new faults for the other IDs. The faults are not registered
  /// with the row cache yet.
  ///
  /// `isKnown` receives, for each ID, true if an object was registered. It stays empty if all objects are new.
  private func objects(for objectIDs: [ObjectID], isKnown: inout [Bool]) -> [ManagedObject] {
    let objects = withMaker(of: objectIDs.count, flags: []) { make in
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

  /// Calls `body` with a function that makes objects, which only the pool refers to at first, and returns the result.
  /// The properties that all the objects share are determined once. At most `count` objects may be made.
  @inline(__always)
  private func withMaker<Result>(
    of count: Int, flags: ManagedObject.Flags, body: ((ObjectID) -> ManagedObject) -> Result
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

  /// Counts objects that `withMaker` made with the same flags.
  private func countMade(_ objects: [ManagedObject]) {
    countObjectsRegistered(objects.count)
    if let first = objects.first { footprint.add(objects.count * first.countedBytes) }
    retainedObjects?.append(contentsOf: objects)
  }

  /// Returns objects like `registerFaults(_:)` if an object may be registered under another ID than the one that the
  /// parent found.
  private func registerFaultsByAliases(_ objectIDs: [ObjectID]) -> [ManagedObject] {
    let known = registry.objects(for: objectIDs)
    let hasAlias = coordinator.identities.hasAlias(objectIDs)
    var fresh: [ManagedObject] = []
    var objects: [ManagedObject] = []
    objects.reserveCapacity(objectIDs.count)
    for (position, objectID) in objectIDs.enumerated() {
      if let object = known[position] ?? (hasAlias[position] ? registeredAlias(of: objectID) : nil) {
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

  /// Returns the object that is registered under another ID of the same object, or nil.
  private func registeredAlias(of objectID: ObjectID) -> ManagedObject? {
    coordinator.identities.firstAlias(of: objectID, registry.object)
  }
}

// MARK: - Firing faults

extension ManagedObjectContext {
  /// Reads the values of a fault, or of an object of which only some properties were read.
  ///
  /// They come from the parent context by `performAndWait`, from the row cache, or from one SELECT.
  func fulfill(_ object: ManagedObject) throws(PersistenceError) {
    if try readRow(of: object) { return }
    guard shouldDeleteInaccessibleFaults else { throw Self.missingRow(of: object) }
    object.flags.insert(.inaccessible)
    object.snapshot = Row.empty(slotCount: object.entity.slots.count)
  }

  /// Reads an object's row.
  ///
  /// - Returns: False if the row does not exist. The object is unchanged then.
  func readRow(of object: ManagedObject) throws(PersistenceError) -> Bool {
    let row = try recorder.during(.fault, of: 1, in: name) { () throws(PersistenceError) -> Row? in
      machine.account(Work(.faultFired))
      return try currentRow(for: object.objectID)
    }
    guard let row else { return false }
    object.snapshot = row
    awakeFromFetch(object)
    return true
  }

  /// Returns the row of an object as the parent has it now, or nil if the parent has no row for it.
  func currentRow(for objectID: ObjectID) throws(PersistenceError) -> Row? {
    reportFootprint()
    guard let parent else { return try reader.row(for: objectID, stalenessInterval: stalenessInterval) }
    return try parent.performAndWait { () throws(PersistenceError) -> Row? in
      try parent.rowForChild(objectID)
    }
  }

  /// Returns the row of an object as a child context sees it: with its values here, including unsaved changes. It is
  /// nil if the object is deleted or does not exist.
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

  /// Marks a new object as shared, because a context below has its temporary ID; the save then records its permanent
  /// ID.
  func share(_ object: ManagedObject) {
    if object.flags.contains(.inserted) { object.flags.insert(.shared) }
  }
}
