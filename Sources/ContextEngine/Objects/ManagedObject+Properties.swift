import MachineCore

// MARK: - Reading slots

extension ManagedObject {
  /// What a slot holds, with local changes. The object must not be a fault.
  func currentValue(at slot: Int) -> Value {
    currentRow.value(at: slot)
  }
}
