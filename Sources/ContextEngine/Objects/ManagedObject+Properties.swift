import MachineCore

// MARK: - What changed

extension ManagedObject {
  /// The attributes and to-one relationships that changed since the object was last read or saved, with the values that
  /// they have now; of new objects, what was set. To-many relationships are not among them. O(properties).
  public func changedValues() -> [String: Value] {
    values(of: changedSlots)
  }

  /// The same since pending changes were last processed.
  public func changedValuesForCurrentEvent() -> [String: Value] {
    values(of: eventSlots)
  }

  /// The values as they were last read or saved; nothing for new objects. Fires the object if it is a fault.
  ///
  /// - Parameter names: the attributes and to-one relationships asked for; nil = all. Traps for others.
  public func committedValues(forKeys names: [String]? = nil) -> [String: Value] {
    touch()
    if !isWhole { fulfillOrTrap() }
    var values: [String: Value] = [:]
    for name in names ?? entity.slots.map(\.name) {
      let path = entity.path(name)
      guard !path.isToMany else {
        trapMisuse("\(entity.name).\(name) is to-many; a row, and with it what was committed, never holds it")
      }
      values[name] = shown(snapshot?.value(at: path.slot) ?? .null, of: path.slot)
    }
    return values
  }

  /// Whether anything is different from what was last read or saved: unlike `hasChanges` not so where a value was set away
  /// and back.
  public var hasPersistentChangedValues: Bool {
    touch()
    if toManys.contains(where: \.hasChanges) { return true }
    guard changedSlots != 0, !isFault else { return false }
    guard let snapshot else { return true }
    return entity.slots.indices.contains { slot in
      changedSlots & (1 << UInt64(slot)) != 0 && !currentRow.isEqual(to: snapshot, at: slot)
    }
  }

  private func values(of slots: UInt64) -> [String: Value] {
    touch()
    guard slots != 0, !isFault else { return [:] }
    var values: [String: Value] = [:]
    for (slot, property) in entity.slots.enumerated() where slots & (1 << UInt64(slot)) != 0 {
      values[property.name] = shown(currentValue(at: slot), of: slot)
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

  /// Sets a property without telling anybody: the object does not become dirty by it, nothing is reported or undone, and
  /// inverses are not kept in step. What was set is written with the object's next change.
  ///
  /// For callbacks that compute a value from others. Fires the object if it is a fault.
  public func setPrimitiveValue(_ value: Value, at path: PropertyPath) {
    check(path)
    checkIsSlot(path)
    if path.kind == .attribute, !entity.attributeTypes[path.slot].admits(value) {
      trapMisuse("\(entity.name).\(entity.slots[path.slot].name) was set to \(value), which is not of its type")
    }
    makeChangeable()
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
