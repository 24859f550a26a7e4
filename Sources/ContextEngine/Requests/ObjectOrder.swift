/// The order of a fetch as a comparison of objects or rows in memory. Reading the keys of an object fires faults.
struct ObjectOrder: Sendable {
  let sortDescriptors: [SortDescriptor]
  /// The slots that decide the order, as bits: of a key path, the relationship that it begins with.
  let slots: UInt64
  /// The keys, where all of them are attributes of the object itself that are compared as a row holds them.
  let plainKeys: [PlainKey]?

  struct PlainKey: Sendable {
    let path: PropertyPath
    let isAscending: Bool
  }

  /// How the order shows in numbers; nil where it does not.
  let prefixes: SortPrefix.Recipe?

  init(_ sortDescriptors: [SortDescriptor]) {
    self.sortDescriptors = sortDescriptors
    prefixes = SortPrefix.Recipe(sortDescriptors)
    slots = sortDescriptors.reduce(0) { $0 | 1 << UInt64($1.path.slot) }
    let isPlain = sortDescriptors.allSatisfy { descriptor in
      descriptor.keyPath.steps.count == 1 && descriptor.path.kind == .attribute && descriptor.textOrder == .literal
    }
    plainKeys = isPlain ? sortDescriptors.map { PlainKey(path: $0.path, isAscending: $0.isAscending) } : nil
  }

  /// Whether rows in which so much was read tell the order as their objects would.
  func isTold(byRowsWith slots: UInt64) -> Bool { plainKeys != nil && self.slots & ~slots == 0 }

  /// Negative, zero or positive by the sort keys alone.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    for descriptor in sortDescriptors {
      let order = descriptor.compare(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}
