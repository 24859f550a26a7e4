/// Which permanent ID each temporary one became in one save.
struct PermanentIDs: Sendable {
  /// By the temporary key, which no two objects of a coordinator share.
  private var table = KeyTable<ObjectID>()
  private(set) var isEmpty = true

  /// The permanent ID; nil for an ID that is not one of the save's new objects'.
  subscript(temporary: ObjectID) -> ObjectID? {
    temporary.isTemporaryID ? table[temporary.key] : nil
  }

  mutating func record(_ permanent: ObjectID, for temporary: ObjectID) {
    table.withElement(of: temporary.key) { $0 = permanent }
    isEmpty = false
  }
}
