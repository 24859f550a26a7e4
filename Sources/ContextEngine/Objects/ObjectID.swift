/// The identity of an object: which entity, and which row of its table.
///
/// A trivial value of 16 bytes. Temporary until the object is written to a store: a temporary ID has a negative key.
/// IDs order by entity, then key; temporary ones come last, in the order in which they were made.
public struct ObjectID: Hashable, Comparable, Sendable {
  /// The index of the entity in its model.
  package let entity: Int32
  /// Which of a coordinator's stores; 0 while temporary.
  package let store: Int32
  /// `Z_PK` of the row, or a negative number that no other temporary ID of the coordinator has.
  package let key: Int64

  package init(entity: Int, key: Int64, store: Int = 0) {
    self.entity = Int32(entity)
    self.store = Int32(store)
    self.key = key
  }

  /// Whether the object has not been written to a store yet, or had not when this ID was taken.
  public var isTemporaryID: Bool { key < 0 }

  package var entityIndex: Int { Int(entity) }

  @inlinable
  public static func < (left: ObjectID, right: ObjectID) -> Bool {
    left.isOrderedBefore(right)
  }

  @usableFromInline
  func isOrderedBefore(_ other: ObjectID) -> Bool {
    if entity != other.entity { return entity < other.entity }
    return isKeyOrderedBefore(other)
  }

  /// The order of the objects of one table: entities that inherit from one another share its keys.
  func isKeyOrderedBefore(_ other: ObjectID) -> Bool {
    if isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
    return isTemporaryID ? key > other.key : (store, key) < (other.store, other.key)
  }
}
