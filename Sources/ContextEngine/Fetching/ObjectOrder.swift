/// The order of a fetch as a comparison of objects in memory. Reading the keys fires faults.
struct ObjectOrder: Sendable {
  let sortDescriptors: [SortDescriptor]
  /// The slots that decide the order, as bits: of a key path, the relationship that it begins with.
  let slots: UInt64

  /// How the order shows in numbers; nil where it does not.
  let prefixes: SortPrefix.Recipe?

  init(_ sortDescriptors: [SortDescriptor]) {
    self.sortDescriptors = sortDescriptors
    prefixes = SortPrefix.Recipe(sortDescriptors)
    slots = sortDescriptors.reduce(0) { $0 | 1 << UInt64($1.path.slot) }
  }

  /// Whether `left` comes first; objects with equal keys are in the order of the keys of their
  /// rows, which entities that inherit from one another share.
  func isOrderedBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    let order = compare(left, right)
    return order == 0 ? left.objectID.isKeyOrderedBefore(right.objectID) : order < 0
  }

  /// Negative, zero or positive by the sort keys alone.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    for descriptor in sortDescriptors {
      let order = descriptor.compare(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}
