// MARK: - Transient attributes

extension Row {
  /// The row with what an object's transient attributes hold, which outlasts a refresh. O(slots).
  func keepingTransientValues(of object: ManagedObject) -> Row {
    guard object.entity.transientSlots != 0, object.isWhole else { return self }
    return replacing(object.entity.transientSlots) { object.currentValue(at: $0) }
  }
}

extension ManagedObjectContext {
  /// Parts changed objects into those with something to write and those of which transient attributes changed alone.
  func partitionByTransience(_ updated: [ManagedObject]) -> (written: [ManagedObject], kept: [ManagedObject]) {
    guard coordinator.model.hasTransientAttributes else { return (updated, []) }
    var parts: (written: [ManagedObject], kept: [ManagedObject]) = ([], [])
    for object in updated {
      if object.hasTransientChangesAlone { parts.kept.append(object) } else { parts.written.append(object) }
    }
    return parts
  }

  /// The state of an object as it is, based on the version that it had.
  func transientState(of object: ManagedObject) -> Row {
    (object.snapshot ?? Row(version: object.version, values: object.entity.defaultValues)).keepingTransientValues(
      of: object)
  }
}

extension ManagedObject {
  /// Whether an object is changed, but nothing that a store keeps.
  fileprivate var hasTransientChangesAlone: Bool {
    changedSlots != 0 && changedSlots & ~entity.transientSlots == 0 && !toManys.contains(where: \.hasChanges)
  }
}
