// MARK: - Derived attributes

extension ManagedObjectContext {
  /// Returns the slots of the derived attributes to which its save has given a new object other values. O(1)
  /// for a model without derived attributes.
  func slotsDerived(_ object: ManagedObject, in row: Row) -> SlotSet {
    guard !coordinator.model.derivations.isEmpty else { return SlotSet() }
    let slots = coordinator.model.derivations.slots(of: object.entity.index)
    return slots.isEmpty ? slots : slots.intersection(row.slotsDiffering(from: object.currentRow))
  }
}

extension ManagedObject {
  /// True if a derived attribute of the object depends on a to-many relationship, so that its row is written when the
  /// members change.
  var isDerivedFromToMany: Bool {
    context.coordinator.model.derivations[entity.index].contains { $0.toMany != nil }
  }
}
