/// The indexes of the uniqueness constraints of an in-memory store, which correspond to the unique indexes of a file.
struct InMemoryUniqueness: Sendable {
  /// One index for each constraint, by the index of the root entity.
  private var indexes: [[Index]]

  private struct Index: Sendable {
    var constraint: UniquenessConstraint
    var keys: [UniqueKey: Int64] = [:]

    func key(_ row: Row, of objectID: ObjectID) -> UniqueKey? {
      constraint.scope.includes(objectID.entityIndex) ? UniqueKey(row, for: constraint) : nil
    }
  }

  /// True if there are no constraints.
  var isEmpty: Bool { indexes.allSatisfy(\.isEmpty) }

  init(_ model: ManagedObjectModel) {
    indexes = model.uniquenessConstraints.map { $0.map { Index(constraint: $0) } }
  }

  /// Returns true if two rows would have the same values in a constraint after these changes. O(changes).
  func isBroken(by changes: StoreChanges, roots: [Int]) -> Bool {
    for (root, indexes) in indexes.enumerated() where !indexes.isEmpty {
      var rows = changes.insertions.map { ($0.objectID, $0.row) } + changes.updates.map { ($0.objectID, $0.row) }
      rows.removeAll { roots[$0.0.entityIndex] != root }
      var leaving = Set(rows.map(\.0.key))
      for deletion in changes.deletions where roots[deletion.objectID.entityIndex] == root {
        leaving.insert(deletion.objectID.key)
      }
      for index in indexes {
        var coming: Set<UniqueKey> = []
        for (objectID, row) in rows {
          guard let key = index.key(row, of: objectID) else { continue }
          if !coming.insert(key).inserted { return true }
          if let owner = index.keys[key], !leaving.contains(owner) { return true }
        }
      }
    }
    return false
  }

  /// Updates the indexes with changes that do not break a constraint. The deleted and updated rows are also given in
  /// their previous state.
  mutating func write(_ changes: StoreChanges, replacing replaced: [(objectID: ObjectID, row: Row)], roots: [Int]) {
    let coming = changes.insertions.map { ($0.objectID, $0.row) } + changes.updates.map { ($0.objectID, $0.row) }
    for root in indexes.indices {
      for place in indexes[root].indices {
        for (objectID, row) in replaced where roots[objectID.entityIndex] == root {
          if let key = indexes[root][place].key(row, of: objectID) { indexes[root][place].keys[key] = nil }
        }
        for (objectID, row) in coming where roots[objectID.entityIndex] == root {
          if let key = indexes[root][place].key(row, of: objectID) { indexes[root][place].keys[key] = objectID.key }
        }
      }
    }
  }
}
