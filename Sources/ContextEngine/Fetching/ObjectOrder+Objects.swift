// MARK: - Comparing objects

extension ObjectOrder {
  /// Returns true if `left` sorts before `right`. Objects with equal sort keys are ordered by the keys of their rows,
  /// which entities that inherit from one another share.
  func isOrderedBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    let order = plainKeys.map { Self.compare(left, right, by: $0) } ?? compare(left, right)
    return order == 0 ? left.objectID.isKeyOrderedBefore(right.objectID) : order < 0
  }

  /// Returns true if an object with the values of `row`, instead of its current values, sorts before `right`.
  func isOrderedBefore(_ row: Row, of objectID: ObjectID, _ right: ManagedObject) -> Bool {
    let order = plainKeys.map { Self.compare(row, right, by: $0) } ?? 0
    return order == 0 ? objectID.isKeyOrderedBefore(right.objectID) : order < 0
  }

  private static func compare(_ left: Row, _ right: ManagedObject, by keys: [PlainKey]) -> Int {
    for key in keys {
      right.prepareToRead(key.path)
      let order = right.withRow(of: key.path.slot) { left.compare(to: $0, at: key.path.slot) }
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }

  /// Compares two objects by the contents of their rows, without creating values.
  private static func compare(_ left: ManagedObject, _ right: ManagedObject, by keys: [PlainKey]) -> Int {
    for key in keys {
      left.prepareToRead(key.path)
      right.prepareToRead(key.path)
      let slot = key.path.slot
      let order = left.withRow(of: slot) { first in right.withRow(of: slot) { first.compare(to: $0, at: slot) } }
      if order != 0 { return key.isAscending ? order : -order }
    }
    return 0
  }
}
