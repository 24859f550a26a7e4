// MARK: - What a conflict met

extension ManagedObjectContext {
  /// Returns the values of the row that a save conflicted with, by property name, or nil if that row was deleted.
  ///
  /// Core Data's conflicts have these values as the cached snapshot if the context conflicted with the row cache, and
  /// as the persisted snapshot if the row cache conflicted with the store. The values that the change was based on are
  /// the object's `committedValues`, until it is refreshed or merged. O(properties).
  public func currentValues(of conflict: MergeConflict) -> [String: Value]? {
    checkQueue()
    guard let row = conflict.current else { return nil }
    let entity = coordinator.model.entities[conflict.objectID.entityIndex]
    var values: [String: Value] = [:]
    for (slot, property) in entity.slots.enumerated() where !property.isHidden {
      let stored = row.value(at: slot)
      values[property.name] = if case .attribute(let attribute) = property { attribute.shown(stored) } else { stored }
    }
    return values
  }
}
