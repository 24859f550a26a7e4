// MARK: - Derived attributes

extension ManagedObjectContext {
  /// The derived attributes of a new object that its save has given other values, as bits. O(1) without any.
  func slotsDerived(_ object: ManagedObject, in row: Row) -> UInt64 {
    guard !coordinator.model.derivations.isEmpty else { return 0 }
    let slots = coordinator.model.derivations.slots(of: object.entity.index)
    return slots == 0 ? 0 : slots & row.slotsDiffering(from: object.currentRow)
  }
}

extension ManagedObject {
  /// Whether a change of members makes a derived attribute another, so that the row is written for it.
  var isDerivedFromToMany: Bool {
    context.coordinator.model.derivations[entity.index].contains { $0.toMany != nil }
  }
}
