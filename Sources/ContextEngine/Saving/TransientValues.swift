/// Transient attributes belong to the objects of one context. They are not in a store, and so not in the row cache,
/// through which another context would see them.
extension Row {
  /// Returns the row with transient attributes set to their defaults. O(slots).
  func withoutTransientValues(of objectID: ObjectID, _ model: ManagedObjectModel) -> Row {
    let entity = model.entities[objectID.entityIndex]
    guard !entity.transientSlots.isEmpty else { return self }
    return replacing(entity.transientSlots) { entity.defaultValues[$0] }
  }

  func replacing(_ replaced: SlotSet, by value: (Int) -> Value) -> Row {
    var row = copy()
    for slot in 0..<slotCount where replaced.contains(slot) { row.set(value(slot), at: slot) }
    return row.shared()
  }
}

extension StoreChanges {
  /// Sets transient attributes to their defaults and removes them from the slots to write. O(rows).
  mutating func dropTransientValues(_ model: ManagedObjectModel) {
    for index in insertions.indices {
      insertions[index].row = insertions[index].row.withoutTransientValues(of: insertions[index].objectID, model)
    }
    for index in updates.indices {
      updates[index].row = updates[index].row.withoutTransientValues(of: updates[index].objectID, model)
      updates[index].slots.subtract(model.entities[updates[index].objectID.entityIndex].transientSlots)
    }
  }
}
