import MachineCore

// MARK: - Calling the callbacks of entities

// Each of these functions checks `hooks` first, so that entities without callbacks only pay for reading one word.
extension ManagedObjectContext {
  func awakeFromInsert(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.awakeFromInsert) else { return }
    for callbacks in object.entity.callbacks { callbacks.awakeFromInsert?(object) }
  }

  /// Gives an object that a child pushed its default values and calls `awakeFromInsert`, before the child's values are
  /// taken over. Links that the callbacks make are removed again, as taking over the values would leave them without
  /// their other ends.
  func awakeFromPush(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.awakeFromInsert) else { return }
    object.setChangedRow(object.entity.makeRow())
    awakeFromInsert(object)
    for slot in object.entity.slots.indices {
      if case .object = object.currentValue(at: slot) {
        object.relate(nil, at: PropertyPath(entity: object.entity.index, slot: slot, kind: .toOne))
      }
    }
  }

  func awakeFromFetch(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.awakeFromFetch), !object.isFault else { return }
    withoutNotingChanges(of: object) {
      for callbacks in object.entity.callbacks { callbacks.awakeFromFetch?(object) }
    }
  }

  func awakeFromSnapshotEvents(_ object: ManagedObject, events: SnapshotEvents) {
    guard object.entity.hooks.contains(.awakeFromSnapshotEvents), !object.isFault else { return }
    withoutNotingChanges(of: object) {
      for callbacks in object.entity.callbacks { callbacks.awakeFromSnapshotEvents?(object, events) }
    }
  }

  func prepareForDeletion(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.prepareForDeletion) else { return }
    for callbacks in object.entity.callbacks { callbacks.prepareForDeletion?(object) }
  }

  /// Removes an object's values and calls the callbacks for turning into a fault.
  func turnIntoFault(_ object: ManagedObject) {
    let isHooked = object.entity.hooks.contains(.turningIntoFault) && !object.isFault
    if isHooked {
      for callbacks in object.entity.callbacks { callbacks.willTurnIntoFault?(object) }
    }
    object.snapshot = nil
    object.setChangedRow(nil)
    object.changeToManys { $0 = [] }
    if isHooked {
      for callbacks in object.entity.callbacks { callbacks.didTurnIntoFault?(object) }
    }
  }

  func willSave(_ objects: [ManagedObject]) {
    for object in objects where object.entity.hooks.contains(.willSave) {
      for callbacks in object.entity.callbacks { callbacks.willSave?(object) }
    }
  }

  func didSave(_ objects: [ManagedObject]) {
    for object in objects where object.entity.hooks.contains(.didSave) {
      for callbacks in object.entity.callbacks { callbacks.didSave?(object) }
    }
  }

  /// Runs `body`. The values that it sets do not make objects dirty and are not reported.
  ///
  /// They are written with the object's next change, since their slots count as changed.
  func withoutNotingChanges(of object: ManagedObject, _ body: () -> Void) {
    let wasIgnoring = ignoresChanges
    let eventSlots = object.eventSlots
    ignoresChanges = true
    defer {
      ignoresChanges = wasIgnoring
      object.eventSlots = eventSlots
    }
    body()
  }
}
