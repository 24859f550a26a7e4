import MachineCore

// MARK: - Setting

extension ManagedObject {
  /// Sets an attribute or a to-one relationship, updating inverses. Fires the object if it is a fault.
  ///
  /// If the next save deletes the object, the value is still set. If the object's row no longer exists, the call has no
  /// effect, and the first such call is logged.
  func set(_ value: Value, at path: PropertyPath) {
    check(path)
    switch path.kind {
    case .attribute:
      setAttribute(value, at: path)
    case .toOne:
      switch value {
      case .null: relate(nil, at: path)
      case .object(let objectID):
        if !refusesChange(of: path) { relate(context.object(with: objectID), at: path) }
      default: trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is a relationship and was set to \(value)")
      }
    case .toMany:
      trapMisuse(
        "\(entity.name).\(entity.propertyName(at: path)) is to-many: set the other end, or use add(_:to:)")
    }
  }

  // This method and those that it calls are inlined, because the calls alone took a tenth of the time to set a value.
  @inline(__always)
  private func setAttribute(_ value: Value, at path: PropertyPath) {
    let slot = path.slot
    guard withEntity({ $0.attributeTypes[slot].admits(value) }) else {
      trapMisuse("\(entity.name).\(entity.slots[slot].name) was set to \(value), which is not of its type")
    }
    if withEntity({ $0.convertedSlots }).contains(slot) { return setConverted(value, at: path) }
    guard canChange(path) else { return }
    withContext { $0.countPropertySet() }
    changeIfDifferent(slot, to: value)
  }

  /// Sets an attribute whose rows hold a converted value, or traps if the attribute is derived and cannot be set.
  private func setConverted(_ value: Value, at path: PropertyPath) {
    let slot = path.slot
    checkIsSettable(slot)
    guard canChange(path) else { return }
    withContext { $0.countPropertySet() }
    guard case .attribute(let attribute) = entity.slots[slot] else { return changeIfDifferent(slot, to: value) }
    changeIfDifferent(slot, to: attribute.stored(value))
  }

  /// Traps for a derived attribute.
  func checkIsSettable(_ slot: Int) {
    guard entity.convertedSlots.contains(slot), case .attribute(let attribute) = entity.slots[slot],
      let expression = attribute.derivationExpression
    else { return }
    trapMisuse("\(entity.name).\(attribute.name) was set, but is derived from “\(expression)” at each save")
  }

  /// Fires the object if needed, and returns true if its values can be changed. Logs if they cannot.
  @inline(__always)
  func canChange(_ path: PropertyPath) -> Bool {
    if refusesChange(of: path) { return false }
    touch()
    if isWhole { return true }
    fulfillOrTrap()
    return !refusesChange(of: path)
  }

  /// Returns true if the object's row no longer exists, because its deletion was saved or merged or its fault found no
  /// row. Logs once for each such object that a property cannot be changed.
  @inline(__always)
  func refusesChange(of path: PropertyPath) -> Bool {
    if checkedFlags.isDisjoint(with: [.gone, .inaccessible]) { return false }
    warn(ofChangeAt: path)
    return true
  }

  private func warn(ofChangeAt path: PropertyPath) {
    if flags.contains(.warned) { return }
    flags.insert(.warned)
    let cause = flags.contains(.gone) ? "it was deleted and left its context" : "its row was found to be gone"
    registry.warnings.write(
      "\(entity.name).\(entity.propertyName(at: path)) of object \(objectID.key) was changed after \(cause), which has no "
        + "effect; check isDeleted before a change")
  }

  /// Fires the object if needed, so that its values can be changed.
  @inline(__always)
  func makeChangeable() {
    touch()
    if !isWhole { fulfillOrTrap() }
  }
}
