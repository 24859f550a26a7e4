import MachineCore

/// One save on its way into a store: keys, conflicts, rows. Used while the writer's turn is held.
struct SaveTransaction {
  private let coordinator: PersistentStoreCoordinator
  private let policy: MergePolicy
  private let request: SaveRequest
  private var permanentIDs: [(temporary: ObjectID, permanent: ObjectID)] = []
  private var known = PermanentIDs()
  private var insertions: [StoreChanges.Insertion] = []
  private var updates: [PendingUpdate]
  private var deletions: [PendingDeletion]
  private var hasMetOthers = false

  /// How often a save that meets another writer's changes in the store is settled and tried again.
  private static let attemptLimit = 10

  private struct PendingUpdate {
    var objectID: ObjectID
    var base: Row
    /// What is in memory, references made permanent.
    var values: [Value]
    var slots: UInt64
    var action: ConflictResolution
  }

  private struct PendingDeletion {
    var objectID: ObjectID
    var base: Row
    var action: ConflictResolution
  }

  init(_ request: SaveRequest, policy: MergePolicy, coordinator: PersistentStoreCoordinator) {
    self.request = request
    self.policy = policy
    self.coordinator = coordinator
    updates = []
    deletions = request.deletions.map {
      PendingDeletion(
        objectID: coordinator.identities.canonical($0.objectID), base: $0.base,
        action: .delete(baseVersion: $0.base.version))
    }
  }

  /// Carries the save out.
  ///
  /// - Throws: `PersistenceError`: `managedObjectMerge` under the error policy, whatever the store throws otherwise.
  mutating func run() throws(PersistenceError) -> SaveResult {
    try reservePermanentIDs()
    prepareRows()
    try checkStores()
    try settle(conflictsWithRowCache(), kind: .contextAgainstRowCache)
    for _ in 0..<Self.attemptLimit {
      switch try coordinator.store.save(storeChanges()) {
      case .committed(let instant):
        return finish(at: instant)
      case .conflicting(let conflicts):
        coordinator.rowCache.enter(
          conflicts.compactMap { conflict in conflict.persisted.map { (conflict.objectID, $0) } })
        coordinator.rowCache.remove(conflicts.filter { $0.persisted == nil }.map(\.objectID))
        try settle(
          Dictionary(uniqueKeysWithValues: conflicts.map { ($0.objectID, $0.persisted) }), kind: .rowCacheAgainstStore)
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
    let entityCount = coordinator.model.entities.count
    let numbers = try storeNumbers()
    // One place for each root entity of each store: entities that inherit from one another share a table, and its keys.
    let roots = coordinator.model.entities.map(\.root.index)
    let places = request.insertions.indices.map { offset in
      (numbers?[offset] ?? 0) * entityCount + roots[request.insertions[offset].temporaryID.entityIndex]
    }
    var counts = Array(repeating: 0, count: (1 + (numbers?.max() ?? 0)) * entityCount)
    for place in places { counts[place] += 1 }
    let requests = counts.indices.filter { counts[$0] > 0 }.map { place in
      KeyRequest(
        entity: coordinator.model.entities[place % entityCount], count: counts[place], store: place / entityCount)
    }
    guard !requests.isEmpty else { return }
    let firstKeys = try coordinator.store.reserveKeys(requests)
    var next = Array(repeating: Int64(0), count: counts.count)
    for (request, key) in zip(requests, firstKeys) { next[request.store * entityCount + request.entity.index] = key }
    permanentIDs.reserveCapacity(request.insertions.count)
    for (insertion, place) in zip(request.insertions, places) {
      let permanent = ObjectID(entity: insertion.temporaryID.entityIndex, key: next[place])
      permanentIDs.append((insertion.temporaryID, permanent))
      next[place] += 1
    }
  }

  /// For each new object the store that it goes to; nil = all to the only one.
  private func storeNumbers() throws(PersistenceError) -> [Int]? {
    guard coordinator.attachedStores.areSeveral else { return nil }
    return try coordinator.attachedStores.numbers(
      forNew: request.insertions.map(\.temporaryID), coordinator.model)
  }

  private mutating func prepareRows() {
    for (temporary, permanent) in permanentIDs { known.record(permanent, for: temporary) }
    insertions.reserveCapacity(permanentIDs.count)
    for (insertion, ids) in zip(request.insertions, permanentIDs) {
      let row = Row(version: 1, values: permanent(insertion.values))
      insertions.append(.init(objectID: ids.permanent, row: row))
    }
    updates = request.updates.map { update in
      let values = permanent(update.values)
      return PendingUpdate(
        objectID: coordinator.identities.canonical(update.objectID), base: update.base, values: values,
        slots: update.slots,
        action: .write(values: values, slots: update.slots, baseVersion: update.base.version))
    }
  }

  /// The values with every temporary reference made permanent.
  private func permanent(_ values: [Value]) -> [Value] {
    var values = values
    for slot in values.indices {
      guard case .object(let target) = values[slot], target.isTemporaryID else { continue }
      values[slot] = .object(known[target] ?? coordinator.identities.canonical(target))
    }
    return values
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
    let rows = insertions.map { ($0.objectID, $0.row.values) } + updates.map { ($0.objectID, $0.values) }
    let crossing = rows.filter { objectID, values in
      values.contains { if case .object(let target) = $0 { target.store != objectID.store } else { false } }
    }
    guard let first = crossing.first else { return }
    throw PersistenceError(
      .storeAssignment,
      "a \(coordinator.model.entities[first.0.entityIndex].name) refers to an object of another store; "
        + "assign both to one store",
      objectIDs: crossing.map(\.0))
  }

  // MARK: Conflicts

  /// The objects whose cached row has another version than the one that the change is based on, with that row.
  private func conflictsWithRowCache() -> [ObjectID: Row?] {
    let bases = updates.map { ($0.objectID, $0.base) } + deletions.map { ($0.objectID, $0.base) }
    let cached = coordinator.rowCache.rows(for: bases.map(\.0))
    var conflicts: [ObjectID: Row?] = [:]
    for ((objectID, base), row) in zip(bases, cached) {
      if let row, row.version != base.version { conflicts[objectID] = row }
    }
    return conflicts
  }

  /// Lets the policy settle each conflict; under the error policy, throws all of them.
  private mutating func settle(
    _ conflicts: [ObjectID: Row?], kind: MergeConflict.Kind
  ) throws(PersistenceError) {
    guard !conflicts.isEmpty else { return }
    hasMetOthers = true
    coordinator.machine.account(Work(.conflict, count: conflicts.count))
    if policy == .error {
      let list = (updates.map { ($0.objectID, $0.base) } + deletions.map { ($0.objectID, $0.base) })
        .compactMap { objectID, base in
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
        values: updates[index].values, changedSlots: updates[index].slots, base: updates[index].base, current: current)
    }
    for index in deletions.indices {
      guard let current = conflicts[deletions[index].objectID] else { continue }
      deletions[index].action = policy.resolveDeletion(current: current)
    }
  }

  // MARK: Writing

  /// What is left to write, each list in the order of the IDs.
  private func storeChanges() -> StoreChanges {
    var changes = StoreChanges()
    changes.origin = request.origin
    changes.insertions = insertions
    for update in updates {
      switch update.action {
      case .write(let values, let slots, let baseVersion):
        let row = Row(version: baseVersion + 1, values: values)
        changes.updates.append(.init(objectID: update.objectID, row: row, slots: slots, baseVersion: baseVersion))
      case .insertAgain(let values):
        changes.insertions.append(
          .init(objectID: update.objectID, row: Row(version: update.base.version + 1, values: values)))
      case .delete, .takeStore: break
      }
    }
    for deletion in deletions {
      guard case .delete(let baseVersion) = deletion.action else { continue }
      changes.deletions.append(.init(objectID: deletion.objectID, baseVersion: baseVersion))
    }
    changes.insertions.sort { $0.objectID < $1.objectID }
    changes.updates.sort { $0.objectID < $1.objectID }
    changes.deletions.sort { $0.objectID < $1.objectID }
    changes.relationships = relationshipChanges()
    return changes
  }

  /// The changes of pairs and orders whose objects are written, with permanent keys.
  private func relationshipChanges() -> StoreRelationshipChanges {
    if request.relationships.isEmpty { return StoreRelationshipChanges() }
    var givenUp: Set<ObjectID> = []
    for (objectID, action) in updates.map({ ($0.objectID, $0.action) }) + deletions.map({ ($0.objectID, $0.action) }) {
      if case .takeStore = action { givenUp.insert(objectID) }
    }
    return request.relationships.storeChanges(givenUp: givenUp) {
      known[$0] ?? coordinator.identities.canonical($0)
    }
  }

  /// Brings row cache and identities in step with what was written.
  private func finish(at instant: Instant) -> SaveResult {
    let shared = zip(request.insertions, permanentIDs).filter { $0.0.isShared }.map(\.1)
    // Registrations move first, or the new rows would find nobody who has them registered.
    coordinator.rowCache.adopt(permanentIDs, remembering: shared)
    if coordinator.attachedStores.areSeveral {
      coordinator.attachedStores.forgetAssignments(of: permanentIDs.lazy.map(\.temporary))
    }
    let updateOutcomes = updates.map { Self.outcome(of: $0.action, base: $0.base) }
    let deletionOutcomes = deletions.map { Self.outcome(of: $0.action, base: $0.base) }
    var rows = insertions.map { (objectID: $0.objectID, row: $0.row) }
    var deleted: [ObjectID] = []
    let settled = zip(updates.map(\.objectID), updateOutcomes)
    for (objectID, outcome) in Array(settled) + Array(zip(deletions.map(\.objectID), deletionOutcomes)) {
      switch outcome {
      case .row(let row): rows.append((objectID, row))
      case .deleted: deleted.append(objectID)
      }
    }
    coordinator.rowCache.enter(rows)
    coordinator.rowCache.remove(deleted)
    return SaveResult(
      permanentIDs: known, insertions: insertions.map { .init(permanentID: $0.objectID, row: $0.row) },
      updates: updateOutcomes, deletions: deletionOutcomes, committedAt: instant, hasMetOthers: hasMetOthers)
  }

  private static func outcome(of action: ConflictResolution, base: Row) -> SaveResult.Outcome {
    switch action {
    case .write(let values, _, let baseVersion): .row(Row(version: baseVersion + 1, values: values))
    case .insertAgain(let values): .row(Row(version: base.version + 1, values: values))
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
