import MachineCore

extension StoreGroup {
  package func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64] {
    var keys = Array(repeating: Int64(0), count: requests.count)
    for member in members {
      let places = requests.indices.filter { requests[$0].store == member.number }
      if places.isEmpty { continue }
      let first = try member.store.reserveKeys(places.map { requests[$0] })
      for (place, key) in zip(places, first) { keys[place] = ObjectID(entity: 0, key: key, store: member.number).key }
    }
    return keys
  }

  /// Writes each store's changes in a separate transaction.
  ///
  /// The last store commits first and the others only after it, so that a conflict or a failure in one of them
  /// prevents all from writing. A store can still fail in its COMMIT after another store has committed; this cannot be
  /// prevented.
  ///
  /// - Throws: `.incompleteSave` in that case, with the objects that were not written.
  package func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome {
    var parts: [Part] = []
    for member in members {
      let part = Part(member: member, changes: changes.part(of: member))
      if !part.changes.isEmpty { parts.append(part) }
    }
    let counted = parts.reduce(0) { $0 + $1.changes.count }
    guard counted == changes.count else { throw removedStore(changes) }
    // A merge policy has discarded all changes. The first store runs an empty transaction, as it does outside a group.
    if parts.isEmpty, let first = members.first { parts = [Part(member: first, changes: changes)] }
    let outcome = try save(parts[...], beforeCommit: beforeCommit)
    guard case .committed(let instant, let token?) = outcome else { return outcome }
    return .committed(at: instant, token: try covering(token))
  }

  /// Returns a token that also covers the current state of the stores that a save has not written, because all history
  /// of a store that a token does not contain counts as later.
  private func covering(_ token: PersistentHistoryToken) throws(PersistenceError) -> PersistentHistoryToken {
    var token = token
    for member in members where token.transactionNumbers[member.store.identifier] == nil {
      token.transactionNumbers[member.store.identifier] = try member.store.lastTransactionNumber()
    }
    return token
  }

  private struct Part {
    var member: Member
    var changes: StoreChanges
  }

  private func save(
    _ parts: ArraySlice<Part>, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome {
    guard let part = parts.first else {
      trapMisuse("a save without any change reached the stores")
    }
    var inner: SaveOutcome?
    let outcome: SaveOutcome
    do throws(PersistenceError) {
      outcome = try part.member.store.save(part.changes) { () throws(PersistenceError) -> Bool in
        if parts.count == 1 { return try beforeCommit() }
        let result = try save(parts.dropFirst(), beforeCommit: beforeCommit)
        inner = result
        if case .committed = result { return true } else { return false }
      }
    } catch {
      guard case .committed = inner else { throw error }
      throw PersistenceError(
        .incompleteSave,
        "the store \(part.member.store.identifier) failed after others had committed, so that its objects are not saved: "
          + error.message,
        objectIDs: part.changes.objectIDs.map { $0.inStore(part.member.number) }, sql: error.sql,
        sqliteCode: error.sqliteCode, path: error.path)
    }
    if case .conflicting(let conflicts) = outcome, !conflicts.isEmpty {
      return .conflicting(
        conflicts.map { conflict in
          VersionConflict(
            objectID: conflict.objectID.inStore(part.member.number),
            persisted: conflict.persisted.map(part.member.global))
        })
    }
    // This store found the conflict itself, or an inner store prevented it from committing.
    if case .conflicting = outcome, let inner { return inner }
    guard case .committed(let instant, let token) = outcome, case .committed(_, let innerToken?) = inner else {
      return outcome
    }
    return .committed(at: instant, token: token?.merged(with: innerToken) ?? innerToken)
  }

  private func removedStore(_ changes: StoreChanges) -> PersistenceError {
    let gone = changes.objectIDs.filter { objectID in !members.contains { $0.number == objectID.store } }
    return PersistenceError(
      .storeOpen, "\(gone.count) changed objects belong to a store that was removed; refresh or delete them first",
      objectIDs: gone)
  }
}

extension StoreChanges {
  var count: Int { insertions.count + updates.count + deletions.count }

  var objectIDs: [ObjectID] {
    insertions.map(\.objectID) + updates.map(\.objectID) + deletions.map(\.objectID)
  }

  /// Returns the changes that one store writes, with the store's local object IDs.
  fileprivate func part(of member: StoreGroup.Member) -> StoreChanges {
    var part = StoreChanges()
    part.origin = origin
    part.writesInStages = writesInStages
    part.insertions = insertions.filter { $0.objectID.store == member.number }
      .map { .init(objectID: $0.objectID.local, row: member.local($0.row)) }
    part.updates = updates.filter { $0.objectID.store == member.number }
      .map {
        .init(
          objectID: $0.objectID.local, row: member.local($0.row), slots: $0.slots, baseVersion: $0.baseVersion)
      }
    part.relationships = relationships.part(ofStore: member.number)
    part.deletions = deletions.filter { $0.objectID.store == member.number }
      .map { .init(objectID: $0.objectID.local, baseVersion: $0.baseVersion) }
    return part
  }
}
