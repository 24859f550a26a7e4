import MachineCore

// MARK: - Changed values

extension ManagedObject {
  /// Returns the attributes and to-one relationships that changed since the object was last read or saved, with the
  /// values that they have now. For a new object these are the properties that were set.
  ///
  /// Transient attributes are left out, as Core Data's documentation of `changedValues()` says, and so are to-many
  /// relationships. The result is empty if the object has no changes. A value that was set by
  /// ``setPrimitiveValue(_:at:)`` does not change the object, and is in the result once another value has.
  /// O(properties).
  public func changedValues() -> [String: Value] {
    touch()
    let slots = changedSlots.subtracting(entity.unreportedSlots)
    guard hasChanges, !slots.isEmpty, !isFault else { return [:] }
    return values(of: slots, in: currentRow)
  }

  /// Returns the attributes and to-one relationships that changed since pending changes were last processed, with the
  /// values that they had before. The values of a new object were null.
  ///
  /// While observers of a did-change and delegates of fetched results controllers are called, these are the changes
  /// that are reported to them. Values that a merge or a refresh replaced, transient attributes and to-many
  /// relationships are left out. O(properties).
  public func changedValuesForCurrentEvent() -> [String: Value] {
    touch()
    guard let context = managedObjectContext else { return [:] }
    let change = context.reportedEvent?.change(of: self) ?? context.pendingEvent.change(of: self)
    return values(of: change.slots.subtracting(entity.unreportedSlots), in: change.before)
  }

  /// Returns the values, by name, as they were last read or saved, which are null for a new object. Fires the object if
  /// it is a fault.
  ///
  /// The result has the attributes and to-one relationships that are named, or all of them if `names` is nil. Transient
  /// attributes are never saved and are left out, also if they are asked for, as Core Data's documentation of
  /// `committedValues(forKeys:)` says. Traps for other names.
  public func committedValues(forKeys names: [String]? = nil) -> [String: Value] {
    touch()
    if !isWhole { fulfillOrTrap() }
    var slots = SlotSet()
    for name in names ?? entity.slots.filter({ !$0.isHidden }).map(\.name) {
      let path = entity.path(name)
      guard !path.isToMany else {
        trapMisuse("\(entity.name).\(name) is to-many, so rows and committed values do not contain it")
      }
      slots.insert(path.slot)
    }
    return values(of: slots.subtracting(entity.unreportedSlots), in: snapshot)
  }

  /// A Boolean value that is true if the object has changes and a persistent property differs from what was last read
  /// or saved.
  ///
  /// Unlike `hasChanges` it is false if a value was set away and back, and if only transient attributes changed. A
  /// `willSave` that checks it can therefore set transient attributes.
  public var hasPersistentChangedValues: Bool {
    touch()
    if toManys.contains(where: \.hasChanges) { return true }
    let slots = changedSlots.subtracting(entity.unreportedSlots)
    guard hasChanges, !slots.isEmpty, !isFault else { return false }
    guard let snapshot else { return true }
    return entity.slots.indices.contains { slot in
      slots.contains(slot) && !currentRow.isEqual(to: snapshot, at: slot)
    }
  }

  /// Returns the values that a row has in the given slots, by name. The slots are given. Each value is null if
  /// the row is nil.
  private func values(of slots: SlotSet, in row: Row?) -> [String: Value] {
    guard !slots.isEmpty else { return [:] }
    var values: [String: Value] = [:]
    for (slot, property) in entity.slots.enumerated() where slots.contains(slot) {
      values[property.name] = shown(row?.value(at: slot) ?? .null, of: slot)
    }
    return values
  }
}

// MARK: - Primitive values

extension ManagedObject {
  /// Returns the value of a property without firing the object. The result is null for a fault.
  public func primitiveValue(at path: PropertyPath) -> Value {
    check(path)
    checkIsSlot(path)
    touch()
    return isFault ? .null : shown(currentValue(at: path.slot), of: path.slot)
  }

  /// Sets an attribute or a to-one relationship without changing the state of the object: the object does not become
  /// dirty, the value is not reported and cannot be undone, and inverses are not updated. The value is saved with the
  /// object's next change, and is among its changed values from then on.
  ///
  /// It is meant for callbacks that compute a value from others. Fires the object if it is a fault.
  public func setPrimitiveValue(_ value: Value, at path: PropertyPath) {
    check(path)
    checkIsSlot(path)
    if path.kind == .attribute, !entity.attributeTypes[path.slot].admits(value) {
      trapMisuse("\(entity.name).\(entity.slots[path.slot].name) was set to \(value), which is not of its type")
    }
    if path.kind == .attribute { checkIsSettable(path.slot) }
    guard canChange(path) else { return }
    context.countPropertySet()
    write(stored(value, of: path.slot), at: path.slot)
    changedSlots.insert(path.slot)
  }

  private func checkIsSlot(_ path: PropertyPath) {
    if path.isToMany {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is to-many and has no primitive value")
    }
  }
}

// MARK: - Slots

extension ManagedObject {
  /// Returns the value of a slot, with local changes. The object must not be a fault.
  func currentValue(at slot: Int) -> Value {
    currentRow.value(at: slot)
  }

  /// Returns the value that a property shows for a value that the row holds.
  func shown(_ value: Value, of slot: Int) -> Value {
    if case .attribute(let attribute) = entity.slots[slot] { attribute.shown(value) } else { value }
  }

  private func stored(_ value: Value, of slot: Int) -> Value {
    if case .attribute(let attribute) = entity.slots[slot] { attribute.stored(value) } else { value }
  }
}
