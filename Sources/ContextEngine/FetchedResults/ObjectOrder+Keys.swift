extension ObjectOrder {
  /// An object with what it is sorted by, read once where it is compared often.
  struct Key {
    let object: ManagedObject
    fileprivate let values: [Value]
  }

  /// Reads what an object is sorted by. Fires it.
  func key(of object: ManagedObject) -> Key {
    Key(object: object, values: sortDescriptors.map { object[$0.path] })
  }

  func isOrderedBefore(_ left: Key, _ right: Key) -> Bool {
    for (index, descriptor) in sortDescriptors.enumerated() {
      let order = Value.compare(left.values[index], right.values[index])
      if order != 0 { return descriptor.isAscending ? order < 0 : order > 0 }
    }
    return left.object.objectID.isKeyOrderedBefore(right.object.objectID)
  }

  /// Whether an object that is no fault comes before one whose key was read.
  func isOrderedBefore(_ left: ManagedObject, _ right: Key) -> Bool {
    for (index, descriptor) in sortDescriptors.enumerated() {
      let order = Value.compare(left[descriptor.path], right.values[index])
      if order != 0 { return descriptor.isAscending ? order < 0 : order > 0 }
    }
    return left.objectID.isKeyOrderedBefore(right.object.objectID)
  }
}
