// MARK: - Unsaved links to deleted objects

extension ManagedObjectContext {
  /// Removes unsaved links to an object that another context has deleted. The deletion only covered saved links, so
  /// these links would have no target. O(links of the object).
  ///
  /// The removal cannot be undone, as the object cannot be restored either.
  func withdrawUnsavedLinks(to object: ManagedObject) {
    // A link changes both of its ends.
    guard object.flags.contains(.updated) else { return }
    let recorder = changeRecorder
    changeRecorder = nil
    defer { changeRecorder = recorder }
    for (place, state) in object.toManys.enumerated() {
      let inverse = object.entity.toManys[place].inverse
      for objectID in state.added { registeredObject(for: objectID)?.withdrawLink(at: inverse, to: object) }
    }
    for (slot, property) in object.entity.slots.enumerated() {
      guard object.changedSlots.contains(slot), case .toOne(let relationship) = property,
        case .object(let objectID) = object.currentValue(at: slot), let inverse = relationship.inverse
      else { continue }
      registeredObject(for: objectID)?.withdrawLink(at: inverse, to: object)
    }
  }
}

extension ManagedObject {
  fileprivate func withdrawLink(at path: PropertyPath, to target: ManagedObject) {
    guard hasChanges, !isDeleted else { return }
    if path.isToMany {
      changeToMany(at: path.slot) { state, identities in state.withdraw(target.objectID, identities: identities) }
      return
    }
    guard changedSlots.contains(path.slot), case .object(let objectID) = currentValue(at: path.slot),
      context.registeredObject(for: objectID) === target
    else { return }
    change(path.slot, to: .null)
  }
}
