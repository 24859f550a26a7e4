import MachineCore

// MARK: - Derived attributes

extension SaveTransaction {
  /// Computes the derived attributes of the rows that are about to be written, from rows as the save leaves them.
  ///
  /// Rows at the other end of relationships that neither the save nor the row cache has are read from the store, with
  /// one SELECT for each relationship and entity, regardless of the number of rows. O(rows + members).
  mutating func derive() throws(PersistenceError) {
    let derivations = coordinator.model.derivations
    _ = forgetFollowers(in: [:])
    var source = DerivationSource(coordinator, links: relationshipChanges(), now: coordinator.machine.now)
    for index in insertions.indices where absorbed[index] == nil {
      source.note(insertions[index].objectID, row: insertions[index].row, isNew: true)
    }
    for update in updates { source.note(update.objectID, row: update.action.rowLeft) }
    for deletion in deletions { source.note(deletion.objectID, row: deletion.action.rowLeft) }
    if derivations.followOthers { try addFollowers(source) }
    var owners: [(objectID: ObjectID, row: Row)] = []
    for index in insertions.indices where absorbed[index] == nil {
      owners.append((insertions[index].objectID, insertions[index].row))
    }
    for update in updates {
      if let row = update.action.rowWritten { owners.append((update.objectID, row)) }
    }
    try source.prepare(owners.filter { !derivations[$0.objectID.entityIndex].isEmpty })
    for index in insertions.indices where absorbed[index] == nil {
      let row = insertions[index].row
      insertions[index].row = source.derived(row, of: insertions[index].objectID).row
    }
    for index in updates.indices {
      let objectID = updates[index].objectID
      switch updates[index].action {
      case .write(let row, let slots, let baseVersion):
        let derived = source.derived(row, of: objectID, isFollower: updates[index].isFollower)
        updates[index].action = .write(derived.row, slots: slots.union(derived.slots), baseVersion: baseVersion)
      case .insertAgain(let row): updates[index].action = .insertAgain(source.derived(row, of: objectID).row)
      case .delete, .takeStore: break
      }
    }
    updates.removeAll { update in
      guard update.isFollower, case .write(_, let slots, _) = update.action else { return false }
      return slots.isEmpty
    }
  }

  /// Adds the objects whose derived attributes depend on what the save changes in others to the updates, as the store
  /// has them now.
  private mutating func addFollowers(_ source: DerivationSource) throws(PersistenceError) {
    let groups = Dictionary(grouping: try source.followers(of: updates), by: \.entityIndex)
    for (index, followers) in groups.sorted(by: { $0.key < $1.key }) {
      // The rows are read from the store, because a cached row may be out of date.
      let rows = try coordinator.store.rows(
        of: coordinator.model.entities[index], keys: followers.map(\.key), slots: .all)
      for read in rows.sorted(by: { $0.objectID < $1.objectID }) where read.objectID.entityIndex == index {
        updates.append(.init(objectID: read.objectID, base: read.row, row: read.row, slots: [], isFollower: true))
      }
    }
  }

  /// Removes the objects that are written for their derived attributes alone from the updates, and returns the
  /// conflicts without theirs.
  mutating func forgetFollowers(in conflicts: [ObjectID: Row?]) -> [ObjectID: Row?] {
    guard updates.last?.isFollower == true || updates.contains(where: \.isFollower) else { return conflicts }
    let followers = Set(updates.lazy.filter(\.isFollower).map(\.objectID))
    updates.removeAll(where: \.isFollower)
    return conflicts.filter { !followers.contains($0.key) }
  }
}

extension ConflictResolution {
  /// The row that the save writes; nil if it writes no row of the object.
  fileprivate var rowWritten: Row? {
    switch self {
    case .write(let row, _, _), .insertAgain(let row): row
    case .delete, .takeStore: nil
    }
  }

  /// The row that exists after the save; nil if it is deleted.
  fileprivate var rowLeft: Row? {
    if case .takeStore(let row) = self { row } else { rowWritten }
  }
}
