/// The identity of an object: its entity and its row in the entity's table.
///
/// A trivial value of 16 bytes. An object's ID is temporary until the object is written to a store; a temporary ID has
/// a negative key. IDs are ordered by entity, then store and key; temporary IDs come last, in the order in which they
/// were created.
public struct ObjectID: Hashable, Comparable, Sendable {
  /// The index of the entity in its model.
  package let entity: Int32
  /// The `Z_PK` of the row with the number of its store in the bits above it, or a negative number that no other
  /// temporary ID of the coordinator has.
  ///
  /// Because the store is part of the key, tables of objects by key distinguish the objects of different stores at no
  /// extra cost.
  package let key: Int64

  /// Creates an ID.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in its model.
  ///   - key: The key of the row in the first store, or a key that contains a store's number already.
  ///   - store: The number of the store, among those of a coordinator, that has the row.
  package init(entity: Int, key: Int64, store: Int = 0) {
    self.entity = Int32(entity)
    self.key = key | Int64(store) << Self.rowKeyBitCount
  }

  /// Creates the temporary ID with a number among those of its table.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in its model.
  ///   - temporaryNumber: The number, from 1.
  ///   - root: The index of the entity whose table the entity shares.
  package init(entity: Int, temporaryNumber: Int64, root: Int) {
    self.init(entity: entity, key: -(Int64(root) << Self.numberBitCount | temporaryNumber))
  }

  /// The number of bits of a temporary key that count the IDs of a table. The bits above them identify the table.
  private static var numberBitCount: Int64 { 40 }

  /// The number of a temporary ID among those of its table, from 1.
  package var temporaryNumber: Int64 { -key & (1 << Self.numberBitCount - 1) }

  /// The number of bits of a key that belong to the row; no store has as many rows as they can count.
  private static var rowKeyBitCount: Int64 { 48 }

  /// The number of the store that has the row, counted from 0 in the order in which a coordinator's stores were added;
  /// 0 for a temporary ID.
  package var store: Int { isTemporaryID ? 0 : Int(key >> Self.rowKeyBitCount) }

  /// The `Z_PK` of the row, or the key itself for a temporary ID.
  package var rowKey: Int64 { isTemporaryID ? key : key & (1 << Self.rowKeyBitCount - 1) }

  /// The ID that the row's own store uses for the row.
  package var local: ObjectID { ObjectID(entity: entityIndex, key: rowKey) }

  /// Returns the coordinator's ID for a row of the store with the given number, where this ID is the one that the row's
  /// own store uses.
  package func inStore(_ number: Int) -> ObjectID {
    isTemporaryID || number == 0 ? self : ObjectID(entity: entityIndex, key: key, store: number)
  }

  /// True if the object had not been written to a store when this ID was taken.
  public var isTemporaryID: Bool { key < 0 }

  package var entityIndex: Int { Int(entity) }

  /// Returns true if `left` comes before `right`: by entity, then by store and key, with temporary IDs last.
  @inlinable
  public static func < (left: ObjectID, right: ObjectID) -> Bool {
    left.isOrderedBefore(right)
  }

  @usableFromInline
  func isOrderedBefore(_ other: ObjectID) -> Bool {
    if entity != other.entity { return entity < other.entity }
    return isKeyOrderedBefore(other)
  }

  /// Returns true if this ID comes before another in one table, whose keys are shared by entities that inherit from one
  /// another.
  func isKeyOrderedBefore(_ other: ObjectID) -> Bool {
    if isTemporaryID != other.isTemporaryID { return other.isTemporaryID }
    return isTemporaryID ? key > other.key : key < other.key
  }
}
