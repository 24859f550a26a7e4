/// The order of a fetch as a comparison of objects in memory. Reading the keys fires faults.
struct ObjectOrder: Sendable {
  let sortDescriptors: [SortDescriptor]
  /// The slots that decide the order, as bits: of a key path, the relationship that it begins with.
  let slots: UInt64
  /// The keys, where all of them are attributes of the object itself that are compared as a row holds them.
  private let plainKeys: [PlainKey]?

  private struct PlainKey: Sendable {
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

  /// Whether `left` comes first; objects with equal keys are in the order of the keys of their
  /// rows, which entities that inherit from one another share.
  func isOrderedBefore(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    let order = plainKeys.map { Self.compare(left, right, by: $0) } ?? compare(left, right)
    return order == 0 ? left.objectID.isKeyOrderedBefore(right.objectID) : order < 0
  }

  /// Whether rows in which so much was read tell the order as their objects would.
  func isTold(byRowsWith slots: UInt64) -> Bool { plainKeys != nil && self.slots & ~slots == 0 }

  /// Whether an object comes first if it is taken to have the values of a row, and not those that it has by now.
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

  /// Negative, zero or positive by the sort keys alone.
  func compare<Subject: PredicateSubject>(_ left: Subject, _ right: Subject) -> Int {
    for descriptor in sortDescriptors {
      let order = descriptor.compare(left, right)
      if order != 0 { return order }
    }
    return 0
  }

  /// The same by what the objects' rows hold, without making values of it.
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
