// MARK: - What a conflict met

extension ManagedObjectContext {
  /// The values of the row that a save met, by name; nil where that row was deleted.
  ///
  /// What Core Data's conflicts have as their cached snapshot where the context met the row cache, and as their persisted one
  /// where the row cache met the store. What the change was based on are the object's `committedValues`, as long as it is
  /// neither refreshed nor merged. O(properties).
  public func currentValues(of conflict: MergeConflict) -> [String: Value]? {
    checkQueue()
    guard let row = conflict.current else { return nil }
    let entity = coordinator.model.entities[conflict.objectID.entityIndex]
    var values: [String: Value] = [:]
    for (slot, property) in entity.slots.enumerated() {
      let stored = row.value(at: slot)
      values[property.name] = if case .attribute(let attribute) = property { attribute.shown(stored) } else { stored }
    }
    return values
  }
}
