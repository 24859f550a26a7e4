// MARK: - Transient attributes

extension Row {
  /// Returns the row with the values of an object's transient attributes, which a refresh keeps. O(slots).
  func keepingTransientValues(of object: ManagedObject) -> Row {
    guard !object.entity.transientSlots.isEmpty, object.isWhole else { return self }
    return replacing(object.entity.transientSlots) { object.currentValue(at: $0) }
  }
}

extension ManagedObjectContext {
  /// Divides changed objects into those with changes to write and those of which only transient attributes changed.
  func partitionByTransience(_ updated: [ManagedObject]) -> (written: [ManagedObject], kept: [ManagedObject]) {
    guard coordinator.model.hasTransientAttributes else { return (updated, []) }
    var parts: (written: [ManagedObject], kept: [ManagedObject]) = ([], [])
    for object in updated {
      if object.hasTransientChangesAlone { parts.kept.append(object) } else { parts.written.append(object) }
    }
    return parts
  }

  /// Returns the current state of an object, based on the version that it had.
  func transientState(of object: ManagedObject) -> Row {
    (object.snapshot ?? Row(version: object.version, values: object.entity.defaultValues)).keepingTransientValues(
      of: object)
  }
}

extension ManagedObject {
  /// True if only transient attributes of the object have changed, which a store does not save.
  fileprivate var hasTransientChangesAlone: Bool {
    !changedSlots.isEmpty && entity.transientSlots.isSuperset(of: changedSlots)
      && !toManys.contains(where: \.hasChanges)
  }
}
