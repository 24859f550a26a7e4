import OrderedCollections

/// The state of one of an object's to-many relationships, as far as it is known.
///
/// A row never holds the members, so they are read separately when they are first needed, and local changes are kept
/// apart from them: setting the other end of a relationship does not read this one. An ID may be stored as it was
/// before a save made it permanent.
package struct ToManyState {
  /// The members that were read and their arranged order. They share one word, as few relationships are ordered.
  private var members = Members.unread
  /// The objects that were added since the last save. An object that is in both sets was removed and added again at the
  /// end.
  package private(set) var added: OrderedSet<ObjectID> = []
  package private(set) var removed: OrderedSet<ObjectID> = []

  private enum Members {
    case unread
    case read([ObjectID])
    indirect case arranged(base: [ObjectID]?, order: [ObjectID])
  }

  /// The IDs as the parent store had them when they were read, or nil if they were not read.
  package var base: [ObjectID]? {
    get {
      switch members {
      case .unread: nil
      case .read(let base): base
      case .arranged(let base, _): base
      }
    }
    set {
      if let arranged {
        members = .arranged(base: newValue, order: arranged)
      } else {
        members = newValue.map(Members.read) ?? .unread
      }
    }
  }

  /// The order of all members as it was arranged since the last save. If it is nil, added members are at the end.
  package private(set) var arranged: [ObjectID]? {
    get {
      if case .arranged(_, let order) = members { order } else { nil }
    }
    set {
      let base = base
      if let newValue {
        members = .arranged(base: base, order: newValue)
      } else {
        members = base.map(Members.read) ?? .unread
      }
    }
  }

  /// False if the members were neither read nor changed.
  var isUsed: Bool {
    if case .unread = members { !added.isEmpty || !removed.isEmpty } else { true }
  }

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || arranged != nil }

  // MARK: Changes that another object's key decides

  /// Adds an object that is known not to be a member.
  mutating func add(_ objectID: ObjectID, identities: IdentityMap) {
    if !Self.take(objectID, from: &removed, identities: identities) { added.append(objectID) }
  }

  /// Removes an object that is known to be a member.
  mutating func remove(_ objectID: ObjectID, identities: IdentityMap) {
    if !Self.take(objectID, from: &added, identities: identities) { removed.append(objectID) }
  }

  // MARK: Changes of pairs and of ordered relationships

  /// Makes an object a member if it is not one yet. In an ordered relationship, an object that was removed before moves
  /// to the end. O(members) if they were read.
  mutating func enter(_ objectID: ObjectID, isOrdered: Bool, identities: IdentityMap) {
    let wasRemoved = Self.contains(objectID, in: removed, identities: identities)
    if !wasRemoved, let base, Self.contains(objectID, in: base, identities: identities) { return }
    if isOrdered {
      if !Self.contains(objectID, in: added, identities: identities) { added.append(objectID) }
      if arranged != nil, !Self.contains(objectID, in: arranged ?? [], identities: identities) {
        arranged?.append(objectID)
      }
      return
    }
    _ = Self.take(objectID, from: &removed, identities: identities)
    if let base, Self.contains(objectID, in: base, identities: identities) { return }
    if !Self.contains(objectID, in: added, identities: identities) { added.append(objectID) }
  }

  /// Removes an object if it is a member. O(members) if they were read.
  mutating func leave(_ objectID: ObjectID, identities: IdentityMap) {
    _ = Self.take(objectID, from: &added, identities: identities)
    let permanent = identities.canonical(objectID)
    arranged?.removeAll { identities.canonical($0) == permanent }
    if let base, !Self.contains(objectID, in: base, identities: identities) { return }
    if !Self.contains(objectID, in: removed, identities: identities) { removed.append(objectID) }
  }

  /// Discards the addition of an object that no longer exists.
  mutating func withdraw(_ objectID: ObjectID, identities: IdentityMap) {
    _ = Self.take(objectID, from: &added, identities: identities)
    let permanent = identities.canonical(objectID)
    arranged?.removeAll { identities.canonical($0) == permanent }
  }

  /// Sets the order of the members. IDs that are not members are skipped when the order is read.
  mutating func arrange(_ objectIDs: [ObjectID]) {
    arranged = objectIDs
  }

  /// Applies the changes of a child context after the local ones, because the child saved last.
  mutating func receive(_ child: ToManyState, isOrdered: Bool, identities: IdentityMap) {
    for objectID in child.removed { leave(objectID, identities: identities) }
    for objectID in child.added { enter(objectID, isOrdered: isOrdered, identities: identities) }
    if let order = child.arranged { arranged = order }
  }

  // MARK: Reading members

  /// Returns true if an object is a member, or nil if that is not known. O(members).
  func isMember(_ objectID: ObjectID, identities: IdentityMap) -> Bool? {
    if Self.contains(objectID, in: added, identities: identities) { return true }
    if Self.contains(objectID, in: removed, identities: identities) { return false }
    return base.map { Self.contains(objectID, in: $0, identities: identities) }
  }

  /// Returns the members with local changes, given the members that the parent store has. O(n).
  func current(over base: [ObjectID], _ identities: IdentityMap) -> [ObjectID] {
    guard hasChanges else { return base }
    // An object that was added without reading, and was a member before, keeps its place.
    let known = Set(base.map(identities.canonical))
    let left = Set(removed.map(identities.canonical))
    let members =
      base.filter { !left.contains(identities.canonical($0)) }
      + added.filter { left.contains(identities.canonical($0)) || !known.contains(identities.canonical($0)) }
    guard let arranged else { return members }
    // Members that others have added since are at the end.
    var unplaced = Dictionary(
      members.enumerated().map { (identities.canonical($1), $0) }, uniquingKeysWith: { first, _ in first })
    let placed = arranged.compactMap { unplaced.removeValue(forKey: identities.canonical($0)) }
    return placed.map { members[$0] } + unplaced.values.sorted().map { members[$0] }
  }

  private static func contains(
    _ objectID: ObjectID, in list: some Sequence<ObjectID>, identities: IdentityMap
  ) -> Bool {
    if list.contains(objectID) { return true }
    return identities.firstAlias(of: objectID) { list.contains($0) ? true : nil } ?? false
  }

  /// Removes an object from a set by either of its IDs. Returns false if the set does not contain it.
  private static func take(
    _ objectID: ObjectID, from set: inout OrderedSet<ObjectID>, identities: IdentityMap
  ) -> Bool {
    if set.isEmpty { return false }
    if set.remove(objectID) != nil { return true }
    return identities.firstAlias(of: objectID) { set.remove($0) } != nil
  }

  // MARK: Saving

  /// Treats the local changes as saved: they become part of the members that were read.
  mutating func settle(_ identities: IdentityMap) {
    if let base { self.base = current(over: base, identities) }
    forgetChanges()
  }

  package mutating func forgetChanges() {
    added = []
    removed = []
    arranged = nil
  }

  /// Returns the state with other IDs for the same objects. O(members).
  func replacingIDs(by current: (ObjectID) -> ObjectID) -> ToManyState {
    var state = self
    state.base = base?.map(current)
    state.added = OrderedSet(added.map(current))
    state.removed = OrderedSet(removed.map(current))
    state.arranged = arranged?.map(current)
    return state
  }

  /// Replaces the temporary IDs of new objects by permanent ones, except in an arranged order.
  mutating func rekey(_ permanentIDs: PermanentIDs) {
    base = base?.map { permanentIDs[$0] ?? $0 }
    if !added.isEmpty { added = OrderedSet(added.map { permanentIDs[$0] ?? $0 }) }
    if !removed.isEmpty { removed = OrderedSet(removed.map { permanentIDs[$0] ?? $0 }) }
  }
}
