import MachineCore

// MARK: - Derived attributes

extension SaveTransaction {
  /// Computes the derived attributes of the rows that are about to be written, from rows as the save leaves them.
  ///
  /// Reads what relationships lead to where neither the save nor the row cache has it: a SELECT for each relationship and
  /// entity, whatever the number of rows. O(rows + members).
  mutating func derive() throws(PersistenceError) {
    let derivations = coordinator.model.derivations
    var source = DerivationSource(coordinator, relationshipChanges(), now: coordinator.machine.now)
    for index in insertions.indices where absorbed[index] == nil {
      source.note(insertions[index].objectID, insertions[index].row, isNew: true)
    }
    for update in updates { source.note(update.objectID, update.action.rowLeft) }
    for deletion in deletions { source.note(deletion.objectID, deletion.action.rowLeft) }
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
        let derived = source.derived(row, of: objectID)
        updates[index].action = .write(derived.row, slots: slots | derived.slots, baseVersion: baseVersion)
      case .insertAgain(let row): updates[index].action = .insertAgain(source.derived(row, of: objectID).row)
      case .delete, .takeStore: break
      }
    }
  }
}

extension ConflictResolution {
  /// The row that a save writes; nil = none.
  fileprivate var rowWritten: Row? {
    switch self {
    case .write(let row, _, _), .insertAgain(let row): row
    case .delete, .takeStore: nil
    }
  }

  /// The row that is there after the save; nil = none.
  fileprivate var rowLeft: Row? {
    if case .takeStore(let row) = self { row } else { rowWritten }
  }
}
