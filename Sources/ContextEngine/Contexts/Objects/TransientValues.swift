/// Transient attributes live in the objects of one context: they are in no store, and so not in the row cache, through which
/// another context would see them.
extension Row {
  /// The row with the defaults of transient attributes in place of what they hold. O(slots).
  func withoutTransientValues(of objectID: ObjectID, _ model: ManagedObjectModel) -> Row {
    let entity = model.entities[objectID.entityIndex]
    guard entity.transientSlots != 0 else { return self }
    return replacing(entity.transientSlots) { entity.defaultValues[$0] }
  }

  /// The row with what an object's transient attributes hold, which outlasts a refresh. O(slots).
  func keepingTransientValues(of object: ManagedObject) -> Row {
    guard object.entity.transientSlots != 0, object.isWhole else { return self }
    return replacing(object.entity.transientSlots) { object.currentValue(at: $0) }
  }

  private func replacing(_ replaced: UInt64, by value: (Int) -> Value) -> Row {
    var row = copy()
    for slot in 0..<slotCount where replaced & (1 << UInt64(slot)) != 0 { row.set(value(slot), at: slot) }
    return row.shared()
  }
}

extension StoreChanges {
  /// Puts the defaults of transient attributes in place of what they hold. O(rows).
  mutating func dropTransientValues(_ model: ManagedObjectModel) {
    for index in insertions.indices {
      insertions[index].row = insertions[index].row.withoutTransientValues(of: insertions[index].objectID, model)
    }
    for index in updates.indices {
      updates[index].row = updates[index].row.withoutTransientValues(of: updates[index].objectID, model)
      updates[index].slots &= ~model.entities[updates[index].objectID.entityIndex].transientSlots
    }
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
