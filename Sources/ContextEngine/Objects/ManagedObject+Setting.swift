import MachineCore

// MARK: - Setting

extension ManagedObject {
  /// Sets an attribute or a to-one relationship, which keeps inverses in step; fires the object if it is a fault.
  func set(_ value: Value, at path: PropertyPath) {
    check(path)
    guard !isDeleted else {
      trapMisuse("\(entity.name).\(entity.propertyName(at: path)) was set on a deleted object \(objectID)")
    }
    switch path.kind {
    case .attribute:
      setAttribute(value, at: path.slot)
    case .toOne:
      switch value {
      case .null: relate(nil, at: path)
      case .object(let objectID): relate(context.object(with: objectID), at: path)
      default: trapMisuse("\(entity.name).\(entity.propertyName(at: path)) is a relationship and was set to \(value)")
      }
    case .toMany:
      trapMisuse(
        "\(entity.name).\(entity.propertyName(at: path)) is to-many: set the other end, or use add(_:to:)")
    }
  }

  // Inlined, as what follows from it: the calls alone were a tenth of what setting a value takes.
  @inline(__always)
  private func setAttribute(_ value: Value, at slot: Int) {
    guard withEntity({ $0.attributeTypes[slot].admits(value) }) else {
      trapMisuse("\(entity.name).\(entity.slots[slot].name) was set to \(value), which is not of its type")
    }
    if withEntity({ $0.convertedSlots }) & (1 << UInt64(slot)) != 0 { return setConverted(value, at: slot) }
    makeChangeable()
    withContext { $0.countPropertySet() }
    changeIfDifferent(slot, to: value)
  }

  /// The same where rows hold something else than what is set, or where nothing may be set.
  private func setConverted(_ value: Value, at slot: Int) {
    checkIsSettable(slot)
    makeChangeable()
    withContext { $0.countPropertySet() }
    guard case .attribute(let attribute) = entity.slots[slot] else { return changeIfDifferent(slot, to: value) }
    changeIfDifferent(slot, to: attribute.stored(value))
  }

  /// Traps for a derived attribute.
  func checkIsSettable(_ slot: Int) {
    guard entity.convertedSlots & (1 << UInt64(slot)) != 0, case .attribute(let attribute) = entity.slots[slot],
      let expression = attribute.derivationExpression
    else { return }
    trapMisuse("\(entity.name).\(attribute.name) was set, but is derived from “\(expression)” at each save")
  }

  /// Fires the object if needed, so that its values can be changed.
  @inline(__always)
  func makeChangeable() {
    touch()
    if !isWhole { fulfillOrTrap() }
  }
}
