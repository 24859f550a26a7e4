// MARK: - Derived attributes

extension ManagedObjectContext {
  /// Returns the slots, as bits, of the derived attributes to which its save has given a new object other values. O(1)
  /// for a model without derived attributes.
  func slotsDerived(_ object: ManagedObject, in row: Row) -> UInt64 {
    guard !coordinator.model.derivations.isEmpty else { return 0 }
    let slots = coordinator.model.derivations.slots(of: object.entity.index)
    return slots == 0 ? 0 : slots & row.slotsDiffering(from: object.currentRow)
  }
}

extension ManagedObject {
  /// True if a derived attribute of the object depends on a to-many relationship, so that its row is written when the
  /// members change.
  var isDerivedFromToMany: Bool {
    context.coordinator.model.derivations[entity.index].contains { $0.toMany != nil }
  }
}
