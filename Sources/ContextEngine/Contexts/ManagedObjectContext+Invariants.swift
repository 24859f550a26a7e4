import MachineCore

// MARK: - Checking a context

extension ManagedObjectContext {
  /// Checks that the context's own book-keeping agrees: registry and objects, lists of changes and flags, snapshots, both
  /// ends of every relationship as far as they are known here, what each object adds to the footprint.
  ///
  /// Reads nothing and fires no fault. The ends of relationships agree where the context has merged what others saved: one
  /// that has not may have an old state of one end beside a new one of the other. On the context's queue. O(objects +
  /// members). In every build: whoever does not call it pays nothing.
  ///
  /// - Throws: everything that was found.
  package func checkInvariants() throws(BrokenInvariants) {
    checkQueue()
    let objects = registry.allObjects()
    var inspection = ContextInspection(self, objects)
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

/// One look at a context's book-keeping.
struct ContextInspection {
  private let context: ManagedObjectContext
  private let objects: [ManagedObject]
  /// The objects by the IDs that they go by in the store, where they have one there.
  private var known: [ObjectID: ManagedObject] = [:]
  private(set) var findings: [String] = []

  init(_ context: ManagedObjectContext, _ objects: [ManagedObject]) {
    self.context = context
    self.objects = objects
  }

  private var identities: IdentityMap { context.coordinator.identities }

  mutating func note(_ object: ManagedObject, _ sentence: String) {
    findings.append("context \(context.name): \(Self.name(object)) \(sentence)")
  }

  static func name(_ object: ManagedObject) -> String { "\(object.entity.name) \(object.objectID.key)" }

  /// The registered object that goes by an ID, or by the other ID of the same object.
  func object(_ objectID: ObjectID) -> ManagedObject? { known[identities.canonical(objectID)] }

  func isSame(_ objectID: ObjectID?, as object: ManagedObject) -> Bool {
    objectID.map { identities.canonical($0) == identities.canonical(object.objectID) } ?? false
  }

  // MARK: Registry

  /// Each object is found under its ID, knows its context, and is the only one of its row.
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

  /// The lists of changed objects are disjoint, name each once, and name those that say so themselves.
  mutating func inspectLists() {
    var listed: Set<ObjectIdentifier> = []
    let lists: [(name: String, objects: [ManagedObject])] = [
      ("inserted", context.insertedObjects), ("updated", context.updatedObjects),
      ("deleted", context.deletedObjects),
    ]
    for (name, list) in lists {
      for object in list {
        if !listed.insert(ObjectIdentifier(object)).inserted {
          note(object, "is listed as \(name) and is in a list of changes already")
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

  /// An object's flags, rows and changed slots fit together.
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
      if let row = object.changedRow { inspectSlots(of: object, row, snapshot) }
    } else {
      if object.changedRow != nil, object.entity.hooks.isEmpty { note(object, "has local values but no changes") }
      if object.toManys.contains(where: \.hasChanges), object.entity.hooks.isEmpty {
        note(object, "has local changes of a to-many relationship and counts as unchanged")
      }
    }
  }

  /// What an object does not call changed is as in its snapshot.
  private mutating func inspectSlots(of object: ManagedObject, _ row: Row, _ snapshot: Row) {
    let differing = row.slotsDiffering(from: snapshot) & ~object.changedSlots & ~object.entity.transientSlots
    for slot in 0..<row.slotCount where differing & (1 << UInt64(slot)) != 0 {
      if let left = row.objectID(at: slot), let right = snapshot.objectID(at: slot),
        identities.canonical(left) == identities.canonical(right)
      {
        continue
      }
      note(object, "differs from its snapshot in \(object.entity.slots[slot].name), which does not count as changed")
    }
  }

  /// What an object adds to the footprint is what the rule says.
  mutating func inspectFootprint(of object: ManagedObject) {
    let isChanged = !object.flags.isDisjoint(with: [.inserted, .updated, .deleted])
    let bytes =
      ModelledSize.object + (isChanged ? ModelledSize.pendingChange : 0) + ModelledSize.array(of: object.toManys)
    if object.countedBytes != bytes {
      note(object, "counts with \(object.countedBytes) bytes in the footprint and has \(bytes)")
    }
  }
}
