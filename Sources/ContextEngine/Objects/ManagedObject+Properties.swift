import MachineCore

// MARK: - What changed

extension ManagedObject {
  /// Returns the attributes and to-one relationships that changed since the object was last read or saved, with the values
  /// that they have now; for a new object, what was set.
  ///
  /// Transient attributes are left out, as Core Data's documentation of `changedValues()` says, and so are to-many
  /// relationships. The result is empty if the object has no changes: a value that was set by
  /// ``setPrimitiveValue(_:at:)`` alone is no change, and is in the result as soon as there is one. O(properties).
  public func changedValues() -> [String: Value] {
    touch()
    let slots = changedSlots & ~entity.transientSlots
    guard hasChanges, slots != 0, !isFault else { return [:] }
    return values(of: slots, in: currentRow)
  }

  /// Returns the attributes and to-one relationships that changed since pending changes were last processed, with the values
  /// that they had before; a new object had none.
  ///
  /// While observers of a did-change and delegates of fetched results controllers are called, the result is about the changes
  /// that they are called for. What a merge or a refresh brought in is no change of the object. Transient attributes and
  /// to-many relationships are left out. O(properties).
  public func changedValuesForCurrentEvent() -> [String: Value] {
    touch()
    guard let context = managedObjectContext else { return [:] }
    let change = context.reportedEvent?.change(of: self) ?? context.pendingEvent.change(of: self)
    return values(of: change.slots & ~entity.transientSlots, in: change.before)
  }

  /// Returns the values as they were last read or saved; a new object has none. Fires the object if it is a fault.
  ///
  /// Transient attributes are never saved and are left out, also if they are asked for, as Core Data's documentation of
  /// `committedValues(forKeys:)` says.
  ///
  /// - Parameter names: the attributes and to-one relationships asked for; nil = all. Traps for others.
  public func committedValues(forKeys names: [String]? = nil) -> [String: Value] {
    touch()
    if !isWhole { fulfillOrTrap() }
    var slots: UInt64 = 0
    for name in names ?? entity.slots.map(\.name) {
      let path = entity.path(name)
      guard !path.isToMany else {
        trapMisuse("\(entity.name).\(name) is to-many; a row, and with it what was committed, never holds it")
      }
      slots |= 1 << UInt64(path.slot)
    }
    return values(of: slots & ~entity.transientSlots, in: snapshot)
  }

  /// Whether the object has changes and a property that is saved is different from what was last read or saved.
  ///
  /// Unlike `hasChanges` this is false if a value was set away and back, and if nothing but transient attributes changed, so
  /// that a `willSave` which asks for it may set them.
  public var hasPersistentChangedValues: Bool {
    touch()
    if toManys.contains(where: \.hasChanges) { return true }
    let slots = changedSlots & ~entity.transientSlots
    guard hasChanges, slots != 0, !isFault else { return false }
    guard let snapshot else { return true }
    return entity.slots.indices.contains { slot in
      slots & (1 << UInt64(slot)) != 0 && !currentRow.isEqual(to: snapshot, at: slot)
    }
  }

  /// - Parameter slots: as bits.
  /// - Parameter row: nil = nothing in any of them.
  private func values(of slots: UInt64, in row: Row?) -> [String: Value] {
    guard slots != 0 else { return [:] }
    var values: [String: Value] = [:]
    for (slot, property) in entity.slots.enumerated() where slots & (1 << UInt64(slot)) != 0 {
      values[property.name] = shown(row?.value(at: slot) ?? .null, of: slot)
    }
    return values
  }
}

// MARK: - Primitive values

extension ManagedObject {
  /// What a property holds without firing the object: nothing in a fault.
  public func primitiveValue(at path: PropertyPath) -> Value {
    check(path)
    checkIsSlot(path)
    touch()
    return isFault ? .null : shown(currentValue(at: path.slot), of: path.slot)
  }

  /// Sets a property without a change of the object: it does not become dirty by it, nothing is reported or undone, and
  /// inverses are not kept in step. What was set is written with the object's next change, and is among its changed values
  /// from then on.
  ///
  /// For callbacks that compute a value from others. Fires the object if it is a fault.
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
    changedSlots |= 1 << UInt64(path.slot)
  }

  private func checkIsSlot(_ path: PropertyPath) {
    if path.isToMany {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is to-many and has no primitive value")
    }
  }
}

// MARK: - Slots

extension ManagedObject {
  /// What a slot holds, with local changes. The object must not be a fault.
  func currentValue(at slot: Int) -> Value {
    currentRow.value(at: slot)
  }

  /// A value as users of the object see it, where the object holds it in another form.
  func shown(_ value: Value, of slot: Int) -> Value {
    if case .attribute(let attribute) = entity.slots[slot] { attribute.shown(value) } else { value }
  }

  private func stored(_ value: Value, of slot: Int) -> Value {
    if case .attribute(let attribute) = entity.slots[slot] { attribute.stored(value) } else { value }
  }
}
