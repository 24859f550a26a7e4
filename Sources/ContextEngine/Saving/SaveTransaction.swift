import MachineCore

/// One save on its way into a store: it reserves keys, settles conflicts and writes rows. It is used while the writer's
/// turn is held.
struct SaveTransaction {
  let coordinator: PersistentStoreCoordinator
  let policy: MergePolicy
  /// The parts of the request that do not change during the transaction.
  private let origin: TransactionOrigin
  let relationships: RelationshipChanges
  let sharedPlaces: [Int]
  let requestedUpdateCount: Int
  /// The IDs of the new objects, in step with `insertions`; an object that had a permanent ID before has it in both
  /// places.
  var permanentIDs: [(temporary: ObjectID, permanent: ObjectID)] = []
  var known = PermanentIDs()
  /// The request's insertions, under permanent IDs and with rows that refer to permanent IDs.
  var insertions: [StoreChanges.Insertion]
  /// The request's updates, followed by rows that new objects became part of and rows that are written for their
  /// derived attributes.
  var updates: SaveUpdates
  var deletions: [SaveRequest.Deletion]
  private var watched: [SaveRequest.Watched]
  var overtaken: [(objectID: ObjectID, row: Row?)] = []
  var hasMetOthers = false
  /// The new objects that uniqueness constraints made part of others: the ID of the other object by the index of the
  /// new one.
  var absorbed: [Int: ObjectID] = [:]
  /// True if rows give up their unique values before others take them.
  var writesInStages = false

  /// The largest number of attempts, if each meets another writer's changes or values that are not unique in the store.
  private static let attemptLimit = 10

  init(_ request: consuming SaveRequest, policy: MergePolicy, coordinator: PersistentStoreCoordinator) {
    self.policy = policy
    self.coordinator = coordinator
    origin = request.origin
    relationships = request.relationships
    sharedPlaces = request.sharedPlaces
    requestedUpdateCount = request.updates.count
    insertions = request.insertions
    updates = request.updates
    deletions = request.deletions
    watched = request.watched
  }

  /// Performs the save.
  ///
  /// - Throws: `PersistenceError`: `managedObjectMerge` under the error policy or after ten attempts,
  ///   `managedObjectConstraintMerge` under the error policy or if the policy cannot settle a meeting,
  ///   `storeAssignment` if an object refers to one of another store, and the errors of the store.
  mutating func run() throws(PersistenceError) -> SaveResult {
    try reservePermanentIDs()
    prepareRows()
    try moveLongValues()
    try checkStores()
    try settle(conflictsWithRowCache(), kind: .contextAgainstRowCache)
    for _ in 0..<Self.attemptLimit {
      switch try coordinator.store.save(try storeChanges()) {
      case .committed(let instant, let token):
        return finish(at: instant, token: token)
      case .conflicting(let conflicts):
        coordinator.rowCache.enter(
          conflicts.compactMap { conflict in conflict.persisted.map { (conflict.objectID, $0) } })
        coordinator.rowCache.remove(conflicts.filter { $0.persisted == nil }.map(\.objectID))
        try settle(
          Dictionary(uniqueKeysWithValues: conflicts.map { ($0.objectID, $0.persisted) }), kind: .rowCacheAgainstStore)
      case .notUnique:
        try settleUniqueness()
      }
    }
    throw PersistenceError(
      .managedObjectMerge,
      "a save met another writer's changes \(Self.attemptLimit) times in a row; make the writers save one after the "
        + "other",
      objectIDs: updates.prefix(requestedUpdateCount).map(\.objectID) + deletions.map(\.objectID))
  }

  // MARK: Keys

  /// Reserves a permanent ID for each new object; keys follow the order in which the objects were made.
  private mutating func reservePermanentIDs() throws(PersistenceError) {
    let objectIDs = insertions.map(\.objectID)
    permanentIDs = try coordinator.reservePermanentIDs(for: objectIDs.filter(\.isTemporaryID))
    guard permanentIDs.count < objectIDs.count else { return }
    // Some objects received their permanent IDs before this save.
    var reserved = permanentIDs[...]
    permanentIDs = objectIDs.map { $0.isTemporaryID ? reserved.removeFirst() : ($0, $0) }
  }

  /// The IDs of the new objects that receive their permanent IDs in this save; usually these are all new objects.
  var given: [(temporary: ObjectID, permanent: ObjectID)] {
    permanentIDs.allSatisfy(\.temporary.isTemporaryID) ? permanentIDs : permanentIDs.filter(\.temporary.isTemporaryID)
  }

  private mutating func prepareRows() {
    known = PermanentIDs(given)
    // The lists are changed in place, because lists that are passed on cost no time, while new lists would count two
    // references for each row.
    for index in insertions.indices {
      insertions[index].objectID = permanentIDs[index].permanent
      if insertions[index].row.refersToTemporary { insertions[index].row = permanent(insertions[index].row) }
      insertions[index].row.setVersion(Row.firstVersion)
    }
    for index in updates.changes.indices {
      updates.changes[index].objectID = coordinator.identities.canonical(updates.changes[index].objectID)
      if updates.changes[index].row.refersToTemporary {
        updates.changes[index].row = permanent(updates.changes[index].row)
      }
    }
    for index in deletions.indices {
      deletions[index].objectID = coordinator.identities.canonical(deletions[index].objectID)
    }
    for index in watched.indices {
      watched[index].objectID = coordinator.identities.canonical(watched[index].objectID)
    }
  }

  /// Returns a row with every temporary reference made permanent. A reference to an object that was deleted before it was
  /// ever saved becomes null.
  private func permanent(_ row: Row) -> Row {
    var permanent = row.copy()
    for slot in 0..<row.slotCount {
      guard let target = row.objectID(at: slot), target.isTemporaryID else { continue }
      let found = known[target] ?? coordinator.identities.canonical(target)
      permanent.set(found.isTemporaryID ? .null : .object(found), at: slot)
    }
    return permanent
  }

  /// Throws `storeAssignment` if an object refers to one of another store.
  private func checkStores() throws(PersistenceError) {
    guard coordinator.attachedStores.areSeveral else { return }
    if let pair = relationshipChanges().additions.first(where: \.crossesStores) {
      let table = coordinator.model.joinTables.tables[pair.table]
      let entity = coordinator.model.entities[table.entity]
      throw PersistenceError(
        .storeAssignment,
        "\(entity.name).\(entity.toManys[table.relationship].name) leads to an object of another store; "
          + "assign both to one store")
    }
    let rows = insertions.map { ($0.objectID, $0.row) } + updates.changes.map { ($0.objectID, $0.row) }
    let crossing = rows.filter { objectID, row in
      (0..<row.slotCount).contains { slot in row.objectID(at: slot).map { $0.store != objectID.store } ?? false }
    }
    guard let first = crossing.first else { return }
    throw PersistenceError(
      .storeAssignment,
      "a \(coordinator.model.entities[first.0.entityIndex].name) refers to an object of another store; "
        + "assign both to one store",
      objectIDs: crossing.map(\.0))
  }

  // MARK: Conflicts

  /// The objects whose versions are compared, with the rows on which their changes are based.
  private var bases: [(objectID: ObjectID, base: Row)] {
    var bases = updates.map { (objectID: $0.objectID, base: $0.base) }
    bases += deletions.map { ($0.objectID, $0.base) }
    bases += watched.map { ($0.objectID, $0.base) }
    return bases
  }

  /// Returns the objects whose cached row has another version than the row on which the change is based, with the
  /// cached row.
  private func conflictsWithRowCache() -> [ObjectID: Row?] {
    var versions: [(ObjectID, Int64)] = []
    versions.reserveCapacity(updates.count + deletions.count + watched.count)
    let changes = updates.changes
    for index in changes.indices { versions.append((changes[index].objectID, changes[index].baseVersion)) }
    for index in deletions.indices { versions.append((deletions[index].objectID, deletions[index].base.version)) }
    for index in watched.indices { versions.append((watched[index].objectID, watched[index].base.version)) }
    let cached = coordinator.rowCache.rows(ofOtherVersionThan: versions)
    return Dictionary(cached, uniquingKeysWith: { first, _ in first })
  }

  /// Lets the policy settle each conflict.
  ///
  /// - Throws: `managedObjectMerge` with all conflicts under the error policy.
  private mutating func settle(
    _ conflicts: [ObjectID: Row?], kind: MergeConflict.Kind
  ) throws(PersistenceError) {
    if conflicts.isEmpty { return }
    // Followers are dropped, because the context has not changed them; the next write looks for them anew.
    let conflicts = forgetFollowers(in: conflicts)
    guard !conflicts.isEmpty else { return }
    hasMetOthers = true
    coordinator.machine.account(Work(.conflict, count: conflicts.count))
    if policy == .error {
      let list =
        bases.compactMap { objectID, base in
          conflicts[objectID].map {
            MergeConflict(kind: kind, objectID: objectID, oldVersion: base.version, current: $0)
          }
        }
      throw PersistenceError(
        .managedObjectMerge,
        "\(list.count == 1 ? "1 object was" : "\(list.count) objects were") changed or deleted by others since the read; "
          + "merge these changes or set a merge policy",
        objectIDs: list.map(\.objectID), conflicts: list)
    }
    for index in updates.indices {
      guard let current = conflicts[updates[index].objectID] else { continue }
      updates[index].action = policy.resolveUpdate(
        row: updates[index].row, changedSlots: updates[index].slots, base: updates[index].base, current: current)
    }
    for index in deletions.indices {
      guard let current = conflicts[deletions[index].objectID] else { continue }
      deletions[index].action = policy.resolveDeletion(current: current)
    }
    // An object that is not changed takes the store's row under every policy.
    overtaken += watched.compactMap { watched in conflicts[watched.objectID].map { (watched.objectID, $0) } }
    watched.removeAll { conflicts[$0.objectID] != nil }
  }

  // MARK: Writing

  /// Returns the changes that are left to write, each list in the order of the IDs.
  private mutating func storeChanges() throws(PersistenceError) -> StoreChanges {
    if !coordinator.model.derivations.isEmpty { try derive() }
    var changes = StoreChanges()
    changes.origin = origin
    changes.writesInStages = writesInStages
    changes.insertions = insertions
    if !absorbed.isEmpty {
      changes.insertions = insertions.indices.filter { absorbed[$0] == nil }.map { insertions[$0] }
    }
    writeUpdates(to: &changes)
    changes.deletions.reserveCapacity(deletions.count)
    for index in deletions.indices {
      guard case .delete(let baseVersion) = deletions[index].action else { continue }
      changes.deletions.append(.init(objectID: deletions[index].objectID, baseVersion: baseVersion))
    }
    // Watched rows are written under the version that they have, so that the store checks whether it is still current.
    for watched in watched {
      let base = watched.base
      changes.updates.append(.init(objectID: watched.objectID, row: base, slots: [], baseVersion: base.version))
    }
    Self.sort(&changes.insertions, by: \.objectID)
    Self.sort(&changes.updates, by: \.objectID)
    Self.sort(&changes.deletions, by: \.objectID)
    if coordinator.model.hasTransientAttributes { changes.dropTransientValues(coordinator.model) }
    changes.relationships = relationshipChanges()
    return changes
  }

  /// Adds the changed objects under their new versions; uses the request's own list if all rows are written as they are
  /// in memory.
  private mutating func writeUpdates(to changes: inout StoreChanges) {
    for index in updates.changes.indices where updates.isAsInMemory(at: index) {
      updates.changes[index].row.setVersion(updates.changes[index].baseVersion + 1)
    }
    if updates.areAllAsInMemory {
      changes.updates = updates.changes
      return
    }
    for index in updates.indices {
      let objectID = updates[index].objectID
      switch updates[index].resolution {
      case nil: changes.updates.append(updates.changes[index])
      case .write(let written, let slots, let baseVersion):
        let row = written.with(version: updates[index].isFollower ? baseVersion : baseVersion + 1)
        updates[index].action = .write(row, slots: slots, baseVersion: baseVersion)
        changes.updates.append(.init(objectID: objectID, row: row, slots: slots, baseVersion: baseVersion))
      case .insertAgain(let written):
        let row = written.with(version: updates[index].base.version + 1)
        updates[index].action = .insertAgain(row)
        changes.insertions.append(.init(objectID: objectID, row: row))
      case .delete, .takeStore: break
      }
    }
  }

  /// Sorts the elements only if they are out of order, which is rare: sorting would copy the storage that lists share.
  @inline(__always)
  private static func sort<Element>(_ elements: inout [Element], by objectID: (Element) -> ObjectID) {
    let isSorted = elements.indices.dropFirst().allSatisfy { !(objectID(elements[$0]) < objectID(elements[$0 - 1])) }
    if !isSorted { elements.sort { objectID($0) < objectID($1) } }
  }

  /// Returns the changes of pairs and orders whose objects are written, with permanent keys.
  func relationshipChanges() -> StoreRelationshipChanges {
    if relationships.isEmpty { return StoreRelationshipChanges() }
    var givenUp: Set<ObjectID> = []
    for (objectID, action) in updates.map({ ($0.objectID, $0.action) }) + deletions.map({ ($0.objectID, $0.action) }) {
      if case .takeStore = action { givenUp.insert(objectID) }
    }
    let merged = Dictionary(
      uniqueKeysWithValues: absorbed.map { (coordinator.identities.canonical(permanentIDs[$0].temporary), $1) })
    return relationships.storeChanges(givenUp: givenUp) {
      let objectID = known[$0] ?? coordinator.identities.canonical($0)
      return merged[objectID] ?? objectID
    }
  }
}

extension PersistentStoreCoordinator {
  /// Writes a context's changes in two transactions, one for new keys and one for rows, and settles conflicts by
  /// `policy`.
  ///
  /// Blocks until the caller gets the writer's turn.
  func save(_ request: consuming SaveRequest, policy: MergePolicy) throws(PersistenceError) -> SaveResult {
    var transaction = SaveTransaction(request, policy: policy, coordinator: self)
    let result = try writing { () throws(PersistenceError) -> SaveResult in try transaction.run() }
    storesChanged()
    return result
  }
}
