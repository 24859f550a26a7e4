// MARK: - Derived attributes

extension ManagedObjectContext {
  /// Returns the derived attributes, as bits, of a new object whose values its save has changed. O(1) for a model
  /// without derived attributes.
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
