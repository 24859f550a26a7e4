/// A map from the temporary IDs of one save to the permanent IDs that replaced them.
struct PermanentIDs: Sendable {
  private var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
  /// The permanent IDs by temporary key, which no two objects of a coordinator share. It exists only if the pairs are
  /// not in an order that can be searched, for example because several contexts made the objects in turns.
  private var table: KeyTable<ObjectID>?

  init() {}

  init(_ pairs: [(temporary: ObjectID, permanent: ObjectID)]) {
    self.pairs = pairs
    let isInOrder = pairs.indices.dropFirst().allSatisfy { pairs[$0].temporary.key < pairs[$0 - 1].temporary.key }
    if isInOrder { return }
    var table = KeyTable<ObjectID>()
    for (temporary, permanent) in pairs { table.withElement(of: temporary.key) { $0 = permanent } }
    self.table = table
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// Returns the permanent ID for a temporary one, or nil if the ID does not belong to a new object. O(log n).
  subscript(temporary: ObjectID) -> ObjectID? {
    guard temporary.isTemporaryID else { return nil }
    if let table { return table[temporary.key] }
    // Temporary keys decrease from object to object.
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle].temporary.key > temporary.key { low = middle + 1 } else { high = middle }
    }
    return low < pairs.count && pairs[low].temporary == temporary ? pairs[low].permanent : nil
  }
}
