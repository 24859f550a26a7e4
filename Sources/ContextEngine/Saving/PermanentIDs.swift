/// Which permanent ID each temporary one became in one save.
struct PermanentIDs: Sendable {
  private var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
  /// By the temporary key, which no two objects of a coordinator share; only where the pairs are in no order to be
  /// searched by, as when several contexts made the objects in turns.
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

  /// The permanent ID; nil for an ID that is not one of the save's new objects'. O(log n).
  subscript(temporary: ObjectID) -> ObjectID? {
    guard temporary.isTemporaryID else { return nil }
    if let table { return table[temporary.key] }
    // Temporary keys fall from object to object.
    var low = 0
    var high = pairs.count
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle].temporary.key > temporary.key { low = middle + 1 } else { high = middle }
    }
    return low < pairs.count && pairs[low].temporary == temporary ? pairs[low].permanent : nil
  }
}
