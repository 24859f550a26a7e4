import MachineCore

// MARK: - Calling what entities ask for

// Each of these is asked by `hooks` first, so that entities without callbacks pay for a look at one word.
extension ManagedObjectContext {
  func awakeFromInsert(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.awakeFromInsert) else { return }
    for callbacks in object.entity.callbacks { callbacks.awakeFromInsert?(object) }
  }

  /// The same for what a child pushed, before its values are taken over: links made in here would be left without their
  /// other ends then.
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

  func awakeFromSnapshotEvents(_ object: ManagedObject, _ events: SnapshotEvents) {
    guard object.entity.hooks.contains(.awakeFromSnapshotEvents), !object.isFault else { return }
    withoutNotingChanges(of: object) {
      for callbacks in object.entity.callbacks { callbacks.awakeFromSnapshotEvents?(object, events) }
    }
  }

  func prepareForDeletion(_ object: ManagedObject) {
    guard object.entity.hooks.contains(.prepareForDeletion) else { return }
    for callbacks in object.entity.callbacks { callbacks.prepareForDeletion?(object) }
  }

  /// Takes an object's values away.
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

  /// Lets values be set that make nobody dirty and are reported to nobody.
  ///
  /// They are written with the object's next real change, since its slots count as changed.
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
