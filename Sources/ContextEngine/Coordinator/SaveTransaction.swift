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

  /// How often a save that meets another writer's changes in the store is settled and tried again.
  private static let attemptLimit = 10

  private struct PendingUpdate {
    var objectID: ObjectID
    var base: Row
    /// What is in memory, references made permanent.
    var row: Row
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
    var counts = Array(repeating: 0, count: coordinator.model.entities.count)
    for insertion in request.insertions { counts[insertion.temporaryID.entityIndex] += 1 }
    let requests = counts.indices.filter { counts[$0] > 0 }
      .map { KeyRequest(entity: coordinator.model.entities[$0], count: counts[$0]) }
    guard !requests.isEmpty else { return }
    let firstKeys = try coordinator.store.reserveKeys(requests)
    var next = Array(repeating: Int64(0), count: counts.count)
    for (request, key) in zip(requests, firstKeys) { next[request.entity.index] = key }
    permanentIDs.reserveCapacity(request.insertions.count)
    for insertion in request.insertions {
      let entity = insertion.temporaryID.entityIndex
      permanentIDs.append((insertion.temporaryID, ObjectID(entity: entity, key: next[entity])))
      next[entity] += 1
    }
  }

  private mutating func prepareRows() {
    for (temporary, permanent) in permanentIDs { known.record(permanent, for: temporary) }
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
        row: updates[index].row, changedSlots: updates[index].slots, base: updates[index].base, current: current)
    }
    for index in deletions.indices {
      guard let current = conflicts[deletions[index].objectID] else { continue }
      deletions[index].action = policy.resolveDeletion(current: current)
    }
  }

  // MARK: Writing

  /// What is left to write, each list in the order of the IDs.
  private mutating func storeChanges() -> StoreChanges {
    var changes = StoreChanges()
    changes.insertions = insertions
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
    changes.insertions.sort { $0.objectID < $1.objectID }
    changes.updates.sort { $0.objectID < $1.objectID }
    changes.deletions.sort { $0.objectID < $1.objectID }
    return changes
  }

  /// Brings row cache and identities in step with what was written.
  private func finish(at instant: Instant) -> SaveResult {
    let shared = zip(request.insertions, permanentIDs).filter { $0.0.isShared }.map(\.1)
    // Registrations move first, or the new rows would find nobody who has them registered.
    coordinator.rowCache.adopt(permanentIDs, remembering: shared)
    let updateOutcomes = updates.map { Self.outcome(of: $0.action) }
    let deletionOutcomes = deletions.map { Self.outcome(of: $0.action) }
    var rows = insertions.map { (objectID: $0.objectID, row: $0.row.shared()) }
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
      updates: updateOutcomes, deletions: deletionOutcomes, committedAt: instant)
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
    try writing { () throws(PersistenceError) -> SaveResult in
      var transaction = SaveTransaction(request, policy: policy, coordinator: self)
      return try transaction.run()
    }
  }
}
