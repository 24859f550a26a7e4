/// The identity of an object: which entity, and which row of its table.
///
/// A trivial value of 16 bytes. Temporary until the object is written to a store: a temporary ID has a negative key.
/// IDs order by entity, then store and key; temporary ones come last, in the order in which they were made.
public struct ObjectID: Hashable, Comparable, Sendable {
  /// The index of the entity in its model.
  package let entity: Int32
  /// `Z_PK` of the row with the number of its store above it, or a negative number that no other temporary ID of the
  /// coordinator has.
  ///
  /// In one number, so that whatever finds objects by their keys tells those of different stores apart for nothing.
  package let key: Int64

  /// - Parameters:
  ///   - key: with a store's number in it already, or that of a row in the first store.
  ///   - store: which of a coordinator's stores the row is in.
  package init(entity: Int, key: Int64, store: Int = 0) {
    self.entity = Int32(entity)
    self.key = key | Int64(store) << Self.rowKeyBitCount
  }

  /// How many bits of a key are a row's own: no store has as many rows.
  private static var rowKeyBitCount: Int64 { 48 }

  /// Which of a coordinator's stores has the row, counted from 0 as they were added; 0 while temporary.
  package var store: Int { isTemporaryID ? 0 : Int(key >> Self.rowKeyBitCount) }

  /// `Z_PK` of the row; the key itself while temporary.
  package var rowKey: Int64 { isTemporaryID ? key : key & (1 << Self.rowKeyBitCount - 1) }

  /// The ID of the same row as its own store knows it.
  package var local: ObjectID { ObjectID(entity: entityIndex, key: rowKey) }

  /// The ID, as its own store knows it, as the coordinator knows it whose store of that number it is.
  package func inStore(_ number: Int) -> ObjectID {
    isTemporaryID || number == 0 ? self : ObjectID(entity: entityIndex, key: key, store: number)
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
    return isTemporaryID ? key > other.key : key < other.key
  }
}
