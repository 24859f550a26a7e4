import MachineCore

// MARK: - Checking a context

extension ManagedObjectContext {
  /// Checks that the context's book-keeping is consistent: the registry and its objects, the lists of changes and the
  /// flags, snapshots, both ends of every relationship as far as they are known here, and the memory that each object
  /// adds to the footprint.
  ///
  /// The check does not read from the store and fires no faults. The ends of relationships agree only in a context that
  /// has merged the saves of other contexts; otherwise one end can be in an old state and the other in a new one. It is
  /// called on the context's queue. O(objects + members). It exists in every build, at no cost if it is not called.
  ///
  /// - Throws: An error with all inconsistencies found.
  package func checkInvariants() throws(BrokenInvariants) {
    checkQueue()
    let objects = registry.allObjects()
    var inspection = ContextInspection(self, objects: objects)
    inspection.inspectRegistry()
    inspection.inspectLists()
    for object in objects {
      inspection.inspectState(of: object)
      inspection.inspectFootprint(of: object)
      inspection.inspectRelationships(of: object)
    }
    try BrokenInvariants.throwing(inspection.findings)
  }
}

/// An inspection of a context's book-keeping.
struct ContextInspection {
  private let context: ManagedObjectContext
  private let objects: [ManagedObject]
  /// The objects by their canonical IDs: the ID that an object has in the store, if there is one.
  private var known: [ObjectID: ManagedObject] = [:]
  private(set) var findings: [String] = []

  init(_ context: ManagedObjectContext, objects: [ManagedObject]) {
    self.context = context
    self.objects = objects
  }

  private var identities: IdentityMap { context.coordinator.identities }

  mutating func note(_ object: ManagedObject, _ sentence: String) {
    findings.append("context \(context.name): \(Self.name(object)) \(sentence)")
  }

  static func name(_ object: ManagedObject) -> String { "\(object.entity.name) \(object.objectID.key)" }

  /// Returns the registered object with an ID, which may be either the temporary or the permanent ID of the object.
  func object(_ objectID: ObjectID) -> ManagedObject? { known[identities.canonical(objectID)] }

  func isSame(_ objectID: ObjectID?, as object: ManagedObject) -> Bool {
    objectID.map { identities.canonical($0) == identities.canonical(object.objectID) } ?? false
  }

  // MARK: Registry

  /// Checks that each object is found under its ID, refers to its context, and is the only object of its row.
  mutating func inspectRegistry() {
    for object in objects {
      if !object.flags.isDisjoint(with: [.invalid, .gone]) {
        note(object, "is registered although it has ended")
      } else if object.managedObjectContext !== context || object.registry !== context.registry {
        note(object, "is registered but belongs to another context")
      }
      if context.registry.object(for: object.objectID) !== object {
        note(object, "is registered under another ID than its own")
      }
      let canonical = identities.canonical(object.objectID)
      if let other = known[canonical], other !== object {
        note(object, "and \(Self.name(other)) are two objects of one row")
      }
      known[canonical] = object
    }
    if context.registry.count != objects.count {
      findings.append(
        "context \(context.name): the registry has \(context.registry.count) entries and \(objects.count) objects")
    }
    if let retained = context.retainedObjects {
      let kept = Set(retained.map(ObjectIdentifier.init))
      for object in objects where !kept.contains(ObjectIdentifier(object)) {
        note(object, "is registered but not kept, in a context that keeps what it registers")
      }
    }
  }

  // MARK: Changes

  /// Checks that the lists of changed objects are disjoint, contain each object once and registered objects only, and
  /// contain every object that has changes.
  mutating func inspectLists() {
    var listed: Set<ObjectIdentifier> = []
    let lists: [(name: String, objects: [ManagedObject])] = [
      ("inserted", context.insertedObjects), ("updated", context.updatedObjects),
      ("deleted", context.deletedObjects),
    ]
    for (name, list) in lists {
      for object in list {
        if !listed.insert(ObjectIdentifier(object)).inserted {
          note(object, "is listed as \(name) but is in a list of changes already")
        }
        if context.registry.object(for: object.objectID) !== object {
          note(object, "is listed as \(name) but not registered")
        }
      }
    }
    for object in objects where object.hasChanges && !listed.contains(ObjectIdentifier(object)) {
      note(object, "has changes but is in no list of them")
    }
  }

  /// Checks that an object's flags, rows and changed slots are consistent.
  mutating func inspectState(of object: ManagedObject) {
    let flags = object.flags
    let changes = [ManagedObject.Flags.inserted, .updated, .deleted].filter { flags.contains($0) }
    if changes.count > 1 { note(object, "is more than one of inserted, updated and deleted") }
    if flags.contains(.inserted) {
      if object.changedRow == nil { note(object, "is new and has no values") }
    } else if flags.contains(.updated) || flags.contains(.deleted) {
      guard let snapshot = object.snapshot else {
        note(object, "is changed and has no snapshot")
        return
      }
      if let row = object.changedRow { inspectSlots(of: object, row: row, snapshot: snapshot) }
    } else {
      if object.changedRow != nil, object.entity.hooks.isEmpty { note(object, "has local values but no changes") }
      if object.toManys.contains(where: \.hasChanges), object.entity.hooks.isEmpty {
        note(object, "has local changes of a to-many relationship and counts as unchanged")
      }
    }
  }

  /// Checks that the slots that an object does not count as changed are equal to those of its snapshot.
  private mutating func inspectSlots(of object: ManagedObject, row: Row, snapshot: Row) {
    let differing = row.slotsDiffering(from: snapshot).subtracting(object.changedSlots)
      .subtracting(object.entity.transientSlots)
    for slot in 0..<row.slotCount where differing.contains(slot) {
      if let left = row.objectID(at: slot), let right = snapshot.objectID(at: slot),
        identities.canonical(left) == identities.canonical(right)
      {
        continue
      }
      note(object, "differs from its snapshot in \(object.entity.slots[slot].name), which does not count as changed")
    }
  }

  /// Checks that the bytes that an object adds to the footprint are those that the rule gives.
  mutating func inspectFootprint(of object: ManagedObject) {
    let isChanged = !object.flags.isDisjoint(with: [.inserted, .updated, .deleted])
    let bytes =
      ModelledSize.object + (isChanged ? ModelledSize.pendingChange : 0) + ModelledSize.array(of: object.toManys)
    if object.countedBytes != bytes {
      note(object, "counts with \(object.countedBytes) bytes in the footprint and has \(bytes)")
    }
  }
}
