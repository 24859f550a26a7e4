import OrderedCollections

/// What an object knows of one of its to-many relationships.
///
/// A row never holds it, so it is read apart when first asked for, and local changes wait beside it: setting the other
/// end of a relationship does not read this one. An ID may stand here as it was before a save made it permanent.
struct ToManyState {
  /// The IDs as the parent store had them when they were read; nil = not read.
  var base: [ObjectID]?
  /// Local changes since the last save.
  private(set) var added: OrderedSet<ObjectID> = []
  private(set) var removed: OrderedSet<ObjectID> = []

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  mutating func add(_ objectID: ObjectID, _ identities: IdentityMap) {
    if !Self.take(objectID, from: &removed, identities) { added.append(objectID) }
  }

  mutating func remove(_ objectID: ObjectID, _ identities: IdentityMap) {
    if !Self.take(objectID, from: &added, identities) { removed.append(objectID) }
  }

  /// Takes an object out of a set by either of its IDs; false = it was not there.
  private static func take(
    _ objectID: ObjectID, from set: inout OrderedSet<ObjectID>, _ identities: IdentityMap
  ) -> Bool {
    if set.isEmpty { return false }
    if set.remove(objectID) != nil { return true }
    guard let alias = identities.alias(of: objectID) else { return false }
    return set.remove(alias) != nil
  }

  /// The relationship with its local changes, given what the parent store has.
  func current(over base: [ObjectID], _ identities: IdentityMap) -> [ObjectID] {
    guard hasChanges else { return base }
    let moved = Set((added.elements + removed.elements).map(identities.canonical))
    return base.filter { !moved.contains(identities.canonical($0)) } + added
  }

  /// Takes the local changes for saved.
  mutating func settle(_ identities: IdentityMap) {
    if let base { self.base = current(over: base, identities) }
    forgetChanges()
  }

  mutating func forgetChanges() {
    added = []
    removed = []
  }

  /// New objects got permanent IDs.
  mutating func rekey(_ permanentIDs: PermanentIDs) {
    base = base?.map { permanentIDs[$0] ?? $0 }
    if !added.isEmpty { added = OrderedSet(added.map { permanentIDs[$0] ?? $0 }) }
    if !removed.isEmpty { removed = OrderedSet(removed.map { permanentIDs[$0] ?? $0 }) }
  }
}
