/// The order of a fetch as a comparison of objects in memory. Reading the keys fires faults.
struct ObjectOrder: Sendable {
  let sortDescriptors: [SortDescriptor]
  /// The slots that decide the order, as bits.
  let slots: UInt64

  init(_ sortDescriptors: [SortDescriptor]) {
    self.sortDescriptors = sortDescriptors
    slots = sortDescriptors.reduce(0) { $0 | 1 << UInt64($1.path.slot) }
  }

  /// Whether `left` comes first; objects with equal keys are in the order of the keys of their
  /// rows, which entities that inherit from one another share.
  func isOrderedBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    for descriptor in sortDescriptors {
      let order = Value.compare(left[descriptor.path], right[descriptor.path])
      if order != 0 { return descriptor.isAscending ? order < 0 : order > 0 }
    }
    return left.objectID.isKeyOrderedBefore(right.objectID)
  }
}
