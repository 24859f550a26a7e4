import MachineCore

/// One save on its way into a store: keys, conflicts, rows. Used while the writer's turn is held.
struct SaveTransaction {
  let coordinator: PersistentStoreCoordinator
  let policy: MergePolicy
  let request: SaveRequest
  var permanentIDs: [(temporary: ObjectID, permanent: ObjectID)] = []
  var known = PermanentIDs()
  /// In step with the request's.
  var insertions: [StoreChanges.Insertion] = []
  /// The request's, and behind them rows that new objects became part of.
  var updates: [PendingUpdate]
  var deletions: [PendingDeletion]
  private var watched: [SaveRequest.Watched]
  private var overtaken: [(objectID: ObjectID, row: Row?)] = []
  var hasMetOthers = false
  /// By their places, new objects that uniqueness constraints made part of others: of which.
  var absorbed: [Int: ObjectID] = [:]
  /// Whether rows give their unique values up before others take them.
  var writesInStages = false

  /// How often a save that meets another writer's changes in the store is settled and tried again.
  private static let attemptLimit = 10

  struct PendingUpdate {
    var objectID: ObjectID
    var base: Row
    /// What is in memory, references made permanent.
    var row: Row
    var slots: UInt64
    var action: ConflictResolution
  }

  struct PendingDeletion {
    var objectID: ObjectID
    var base: Row
    var action: ConflictResolution
  }

  init(_ request: SaveRequest, policy: MergePolicy, coordinator: PersistentStoreCoordinator) {
    self.request = request
    self.policy = policy
    self.coordinator = coordinator
    updates = []
    watched = request.watched.map { .init(objectID: coordinator.identities.canonical($0.objectID), base: $0.base) }
    deletions = request.deletions.map {
      PendingDeletion(
        objectID: coordinator.identities.canonical($0.objectID), base: $0.base,
        action: .delete(baseVersion: $0.base.version))
    }
  }

  /// Carries the save out.
  ///
  /// - Throws: `PersistenceError`: `managedObjectMerge` and `managedObjectConstraintMerge` under the error policy, whatever the store throws otherwise.
  mutating func run() throws(PersistenceError) -> SaveResult {
    try reservePermanentIDs()
    prepareRows()
    try moveLongValues()
    try checkStores()
    try settle(conflictsWithRowCache(), kind: .contextAgainstRowCache)
    for _ in 0..<Self.attemptLimit {
      switch try coordinator.store.save(try storeChanges()) {
      case .committed(let instant):
        return finish(at: instant)
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
      "a save met another writer's changes \(Self.attemptLimit) times in a row; let the writers take turns",
      objectIDs: request.updates.map(\.objectID) + request.deletions.map(\.objectID))
  }

  // MARK: Keys

  /// Gives each new object a key; keys follow the order in which the objects were made.
  private mutating func reservePermanentIDs() throws(PersistenceError) {
    let unsaved = request.insertions.lazy.map(\.temporaryID).filter(\.isTemporaryID)
    permanentIDs = try coordinator.reservePermanentIDs(for: Array(unsaved))
    guard permanentIDs.count < request.insertions.count else { return }
    // Some have been given theirs before.
    var reserved = permanentIDs[...]
    permanentIDs = request.insertions.map { insertion in
      insertion.temporaryID.isTemporaryID
        ? reserved.removeFirst() : (insertion.temporaryID, insertion.temporaryID)
    }
  }

  /// Which new objects get their permanent IDs by this save, and had none before: all, as a rule.
  var given: [(temporary: ObjectID, permanent: ObjectID)] {
    permanentIDs.allSatisfy(\.temporary.isTemporaryID) ? permanentIDs : permanentIDs.filter(\.temporary.isTemporaryID)
  }

  private mutating func prepareRows() {
    known = PermanentIDs(given)
    insertions.reserveCapacity(permanentIDs.count)
    for (insertion, ids) in zip(request.insertions, permanentIDs) {
      insertions.append(.init(objectID: ids.permanent, row: permanent(insertion.row).with(version: 1)))
    }
    updates = request.updates.map { update in
      let row = permanent(update.row)
      return PendingUpdate(
        objectID: coordinator.identities.canonical(update.objectID), base: update.base, row: row, slots: update.slots,
        action: .write(row, slots: update.slots, baseVersion: update.base.version))
    }
  }

  /// The row with every temporary reference made permanent.
  private func permanent(_ row: Row) -> Row {
    guard row.refersToTemporary else { return row }
    var permanent = row.copy()
    for slot in 0..<row.slotCount {
      guard let target = row.objectID(at: slot), target.isTemporaryID else { continue }
      permanent.set(.object(known[target] ?? coordinator.identities.canonical(target)), at: slot)
    }
    return permanent
  }

  /// Checks that no object refers to one of another store.
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
    let rows = insertions.map { ($0.objectID, $0.row) } + updates.map { ($0.objectID, $0.row) }
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

  /// The objects whose versions count, with the rows that they are based on.
  private var bases: [(objectID: ObjectID, base: Row)] {
    var bases = updates.map { (objectID: $0.objectID, base: $0.base) }
    bases += deletions.map { ($0.objectID, $0.base) }
    bases += watched.map { ($0.objectID, $0.base) }
    return bases
  }

  /// The objects whose cached row has another version than the one that the change is based on, with that row.
  private func conflictsWithRowCache() -> [ObjectID: Row?] {
    let cached = coordinator.rowCache.rows(ofOtherVersionThan: bases.lazy.map { ($0.objectID, $0.base.version) })
    return Dictionary(cached, uniquingKeysWith: { first, _ in first })
  }

  /// Lets the policy settle each conflict; under the error policy, throws all of them.
  private mutating func settle(
    _ conflicts: [ObjectID: Row?], kind: MergeConflict.Kind
  ) throws(PersistenceError) {
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
        "\(list.count) objects were changed or deleted by others since they were read; merge their changes or set a merge policy",
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
    // What is not changed is as the store has it, whatever the policy.
    overtaken += watched.compactMap { watched in conflicts[watched.objectID].map { (watched.objectID, $0) } }
    watched.removeAll { conflicts[$0.objectID] != nil }
  }

  // MARK: Writing

  /// What is left to write, each list in the order of the IDs.
  private mutating func storeChanges() throws(PersistenceError) -> StoreChanges {
    if !coordinator.model.derivations.isEmpty { try derive() }
    var changes = StoreChanges()
    changes.origin = request.origin
    changes.writesInStages = writesInStages
    changes.insertions = insertions
    if !absorbed.isEmpty {
      changes.insertions = insertions.indices.filter { absorbed[$0] == nil }.map { insertions[$0] }
    }
    changes.updates.reserveCapacity(updates.count)
    for index in updates.indices {
      let objectID = updates[index].objectID
      switch updates[index].action {
      case .write(let written, let slots, let baseVersion):
        let row = written.with(version: baseVersion + 1)
        updates[index].action = .write(row, slots: slots, baseVersion: baseVersion)
        changes.updates.append(.init(objectID: objectID, row: row, slots: slots, baseVersion: baseVersion))
      case .insertAgain(let written):
        let row = written.with(version: updates[index].base.version + 1)
        updates[index].action = .insertAgain(row)
        changes.insertions.append(.init(objectID: objectID, row: row))
      case .delete, .takeStore: break
      }
    }
    for deletion in deletions {
      guard case .delete(let baseVersion) = deletion.action else { continue }
      changes.deletions.append(.init(objectID: deletion.objectID, baseVersion: baseVersion))
    }
    // Written with the version that they have: the store finds out whether it is still theirs.
    changes.updates += watched.map {
      .init(objectID: $0.objectID, row: $0.base, slots: 0, baseVersion: $0.base.version)
    }
    Self.sort(&changes.insertions, by: \.objectID)
    Self.sort(&changes.updates, by: \.objectID)
    Self.sort(&changes.deletions, by: \.objectID)
    if coordinator.model.hasTransientAttributes { changes.dropTransientValues(coordinator.model) }
    changes.relationships = relationshipChanges()
    return changes
  }

  /// Sorts what is in order already most of the time, and is not touched then: lists share their storage.
  @inline(__always)
  private static func sort<Element>(_ elements: inout [Element], by objectID: (Element) -> ObjectID) {
    let isSorted = elements.indices.dropFirst().allSatisfy { !(objectID(elements[$0]) < objectID(elements[$0 - 1])) }
    if !isSorted { elements.sort { objectID($0) < objectID($1) } }
  }

  /// The changes of pairs and orders whose objects are written, with permanent keys.
  func relationshipChanges() -> StoreRelationshipChanges {
    if request.relationships.isEmpty { return StoreRelationshipChanges() }
    var givenUp: Set<ObjectID> = []
    for (objectID, action) in updates.map({ ($0.objectID, $0.action) }) + deletions.map({ ($0.objectID, $0.action) }) {
      if case .takeStore = action { givenUp.insert(objectID) }
    }
    let merged = Dictionary(
      uniqueKeysWithValues: absorbed.map { (coordinator.identities.canonical(request.insertions[$0].temporaryID), $1) })
    return request.relationships.storeChanges(givenUp: givenUp) {
      let objectID = known[$0] ?? coordinator.identities.canonical($0)
      return merged[objectID] ?? objectID
    }
  }

  /// Brings row cache and identities in step with what was written.
  private func finish(at instant: Instant) -> SaveResult {
    let given = given
    var shared = zip(request.insertions, permanentIDs).filter { $0.isShared && $1.temporary.isTemporaryID }.map(\.1)
    // Whoever gives up an object that became part of another gives up one registration of that.
    shared += permanentIDs.indices.filter { absorbed[$0] != nil && !request.insertions[$0].isShared }
      .map { permanentIDs[$0] }
    // Registrations move first, or the new rows would find nobody who has them registered.
    coordinator.rowCache.adopt(given, remembering: shared)
    if coordinator.attachedStores.areSeveral {
      coordinator.attachedStores.forgetAssignments(of: given.lazy.map(\.temporary))
    }
    let updateOutcomes = updates.map { Self.outcome(of: $0.action) }
    let deletionOutcomes = deletions.map { Self.outcome(of: $0.action) }
    for insertion in insertions { _ = insertion.row.shared() }
    if coordinator.model.hasTransientAttributes || !absorbed.isEmpty {
      let written = insertions.indices.filter { absorbed[$0] == nil }
      enter(written.map { (insertions[$0].objectID, insertions[$0].row) })
    } else {
      coordinator.rowCache.enter(insertions)
    }
    enter(updateOutcomes, updates.lazy.map(\.objectID))
    enter(deletionOutcomes, deletions.lazy.map(\.objectID))
    let count = request.updates.count
    return SaveResult(
      permanentIDs: known, insertions: insertions, updates: Array(updateOutcomes[..<count]),
      deletions: deletionOutcomes, overtaken: overtaken, absorbed: absorbed,
      others: others(from: count, updateOutcomes), committedAt: instant, hasMetOthers: hasMetOthers)
  }

  /// What became of the rows behind those of the request.
  private func others(from count: Int, _ outcomes: [SaveResult.Outcome]) -> [SaveResult.Other] {
    zip(updates, outcomes).dropFirst(count).map { update, outcome in
      let isWritten = if case .takeStore = update.action { false } else { true }
      return SaveResult.Other(objectID: update.objectID, outcome: outcome, isWritten: isWritten)
    }
  }

  /// Enters what the store has now into the row cache and takes out what it has no more.
  private func enter(_ outcomes: [SaveResult.Outcome], _ objectIDs: some Sequence<ObjectID>) {
    var rows: [(ObjectID, Row)] = []
    var deleted: [ObjectID] = []
    for (objectID, outcome) in zip(objectIDs, outcomes) {
      switch outcome {
      case .row(let row): rows.append((objectID, row))
      case .deleted: deleted.append(objectID)
      }
    }
    enter(rows)
    coordinator.rowCache.remove(deleted)
  }

  /// Enters rows into the row cache, which other contexts see: what is in memory only stays with the context's objects.
  private func enter(_ rows: some Collection<(ObjectID, Row)>) {
    let model = coordinator.model
    guard model.hasTransientAttributes else { return coordinator.rowCache.enter(rows) }
    coordinator.rowCache.enter(rows.map { ($0, $1.withoutTransientValues(of: $0, model)) })
  }

  private static func outcome(of action: ConflictResolution) -> SaveResult.Outcome {
    switch action {
    case .write(let row, _, _), .insertAgain(let row): .row(row.shared())
    case .delete, .takeStore(nil): .deleted
    case .takeStore(let row?): .row(row)
    }
  }
}

extension PersistentStoreCoordinator {
  /// Writes a context's changes: conflicts are settled by `policy`, then two transactions, one for new keys and one for
  /// rows. Blocks on the writer's turn.
  func save(_ request: SaveRequest, policy: MergePolicy) throws(PersistenceError) -> SaveResult {
    let result = try writing { () throws(PersistenceError) -> SaveResult in
      var transaction = SaveTransaction(request, policy: policy, coordinator: self)
      return try transaction.run()
    }
    storesChanged()
    return result
  }
}
