/// The place of a property in the objects of one entity, resolved once from its name.
///
/// A trivial value: using it needs no look-up and no reference counting.
public struct PropertyPath: Hashable, Sendable {
  /// The index of the entity in its model.
  package let entity: Int32
  /// The slot in the row, or the place among the to-many relationships.
  package let slotNumber: Int16
  package let kind: Kind

  package enum Kind: UInt8, Sendable {
    case attribute
    case toOne
    case toMany
  }

  package init(entity: Int, slot: Int, kind: Kind) {
    self.entity = Int32(entity)
    slotNumber = Int16(slot)
    self.kind = kind
  }

  package var slot: Int { Int(slotNumber) }
  package var isToMany: Bool { kind == .toMany }
}
