import MachineCore

// MARK: - Values in separate files

extension SaveTransaction {
  /// Replaces values that are too long for a store's tables by references to files, which the store will write. Only
  /// rows of entities that allow it are examined. O(rows of these entities).
  mutating func moveLongValues() throws(PersistenceError) {
    guard coordinator.model.allowsExternalData else { return }
    for index in insertions.indices {
      insertions[index].row = try moved(insertions[index].row, of: insertions[index].objectID)
    }
    for index in updates.indices {
      updates[index].row = try moved(updates[index].row, of: updates[index].objectID)
    }
  }

  private func moved(_ row: Row, of objectID: ObjectID) throws(PersistenceError) -> Row {
    let slots = coordinator.model.entities[objectID.entityIndex].externalSlots
    if slots.isEmpty { return row }
    return try row.movingLongValues(of: slots, longerThan: coordinator.store.externalDataLimit(for: objectID))
  }
}
