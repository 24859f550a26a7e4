/// The order of a fetch, for comparing objects or rows in memory. Reading the sort keys of an object fires faults.
struct ObjectOrder: Sendable {
  let sortDescriptors: [FetchSortDescriptor]
  /// The slots that decide the order. The bit of a key path is that of the relationship with which it begins.
  let slots: SlotSet
  /// The sort keys if all of them are attributes of the object itself that can be compared as rows store them, or else
  /// nil.
  let plainKeys: [PlainKey]?

  struct PlainKey: Sendable {
    let path: PropertyPath
    let isAscending: Bool
  }

  /// The recipe for the sort prefixes of objects, or nil if numbers cannot represent the order.
  let prefixes: SortPrefix.Recipe?

  init(_ sortDescriptors: [FetchSortDescriptor]) {
    self.sortDescriptors = sortDescriptors
    prefixes = SortPrefix.Recipe(sortDescriptors)
    slots = SlotSet(sortDescriptors.map(\.path.slot))
    let isPlain = sortDescriptors.allSatisfy { descriptor in
      descriptor.keyPath.steps.count == 1 && descriptor.path.kind == .attribute && descriptor.textOrder == .literal
    }
    plainKeys = isPlain ? sortDescriptors.map { PlainKey(path: $0.path, isAscending: $0.isAscending) } : nil
  }

  /// Returns true if rows with the given slots sort in the same order as their objects.
  func isTold(byRowsWith slots: SlotSet) -> Bool { plainKeys != nil && slots.isSuperset(of: self.slots) }

  /// Compares two objects by the sort keys alone and returns a negative number, zero, or a positive number.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    for descriptor in sortDescriptors {
      let order = descriptor.compare(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}
