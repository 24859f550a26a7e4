import MachineCore

/// The rows and relationship members from which derived attributes are computed during a save, as the save leaves them.
///
/// It is used while the writer's turn is held. Rows are found by table and key, because join tables hold only keys.
struct DerivationSource {
  let coordinator: PersistentStoreCoordinator
  /// The instant of the save in seconds since 2001-01-01 00:00 UTC.
  private let now: Double
  /// The rows that the save changes, in the save's order and as the save leaves them; nil for a deleted row.
  private var changes: [(place: Place, objectID: ObjectID, row: Row?)] = []
  private var changed: [Place: Row?] = [:]
  private var inserted: Set<Place> = []
  private var loaded: [Place: Row] = [:]
  private var members: [Membership: [Int64]] = [:]
  private let links: StoreRelationshipChanges

  private struct Place: Hashable {
    let root: Int
    let key: Int64
  }

  private struct Membership: Hashable {
    let owner: ObjectID
    let toMany: Int
  }

  var model: ManagedObjectModel { coordinator.model }

  init(_ coordinator: PersistentStoreCoordinator, links: StoreRelationshipChanges, now: Instant) {
    self.coordinator = coordinator
    self.links = links
    self.now = coordinator.store.clockEpoch + Double(now.nanoseconds) / 1_000_000_000
  }

  private func place(_ objectID: ObjectID) -> Place {
    Place(root: model.entities[objectID.entityIndex].root.index, key: objectID.key)
  }

  /// Records the row that the save leaves of an object, or nil if the object has no row after the save.
  mutating func note(_ objectID: ObjectID, row: Row?, isNew: Bool = false) {
    let place = place(objectID)
    changes.append((place, objectID, row))
    changed[place] = .some(row)
    if isNew { inserted.insert(place) }
  }

  /// Returns true if the object was recorded with `note`, as are all objects that the save writes or deletes.
  func isWritten(_ objectID: ObjectID) -> Bool { changed[place(objectID)] != nil }

  /// Returns the row of an object as the save leaves it, or nil if the row is not known or is deleted.
  func row(of objectID: ObjectID) -> Row? { row(at: place(objectID)) }

  /// Returns the row at a place as the save leaves it, or nil if the row is not known or is deleted.
  private func row(at place: Place) -> Row? {
    if let row = changed[place] { return row }
    return loaded[place]
  }

  // MARK: Reading

  /// Reads the rows and members from which the derived attributes of some objects are computed.
  mutating func prepare(_ owners: [(objectID: ObjectID, row: Row)]) throws(PersistenceError) {
    let groups = Dictionary(grouping: owners, by: \.objectID.entityIndex)
    for (entity, owners) in groups.sorted(by: { $0.key < $1.key }) {
      for derivation in model.derivations[entity] {
        switch derivation.formula {
        case .now: break
        case .attribute(let toOnes, _, _): try load(along: toOnes, from: owners.map(\.row))
        case .count(let toMany): try readMembers(toMany, of: owners.map(\.objectID))
        case .sum(let toMany, _):
          try readMembers(toMany, of: owners.map(\.objectID))
          let destination = model.entities[entity].toManys[toMany].destination
          let keys = owners.flatMap { members[Membership(owner: $0.objectID, toMany: toMany)] ?? [] }
          try load(keys, of: model.entities[destination])
        }
      }
    }
  }

  private mutating func load(along toOnes: [Int], from rows: [Row]) throws(PersistenceError) {
    var rows = rows
    for slot in toOnes {
      let targets = rows.compactMap { $0.objectID(at: slot) }
      let groups = Dictionary(grouping: targets, by: \.entityIndex)
      for (entity, targets) in groups.sorted(by: { $0.key < $1.key }) {
        let cached = coordinator.rowCache.rows(for: targets)
        for (target, row) in zip(targets, cached) where row?.isWhole == true { loaded[place(target)] = row }
        try load(targets.map(\.key), of: model.entities[entity])
      }
      rows = targets.compactMap { row(at: place($0)) }
    }
  }

  /// Reads the rows that are not known yet, with at most one SELECT.
  private mutating func load(_ keys: [Int64], of entity: EntityDescription) throws(PersistenceError) {
    let root = entity.root.index
    let missing = Set(keys).filter { key in
      let place = Place(root: root, key: key)
      return changed[place] == nil && loaded[place] == nil
    }
    guard !missing.isEmpty else { return }
    let rows = try coordinator.store.rows(of: entity, keys: missing.sorted(), slots: .all)
    for row in rows { loaded[place(row.objectID)] = row.row }
  }

  /// Finds the members of one relationship for many objects of an entity, with one SELECT for the objects that existed
  /// before the save.
  private mutating func readMembers(_ toMany: Int, of owners: [ObjectID]) throws(PersistenceError) {
    guard let first = owners.first, members[Membership(owner: first, toMany: toMany)] == nil else { return }
    let relationship = model.entities[first.entityIndex].toManys[toMany]
    let old = owners.filter { !inserted.contains(place($0)) }
    let read = old.isEmpty ? [] : try coordinator.store.objectIDs(relatedBy: relationship, to: old)
    let stored = Dictionary(zip(old, read)) { first, _ in first }
    let root = model.entities[relationship.destination].root.index
    let end = model.joinTables.end(entity: first.entityIndex, relationship: toMany)
    let (added, removed) = end.map(linkedKeys) ?? (referringKeys(relationship), [:])
    for owner in owners {
      var keys = Set(stored[owner, default: []].map(\.key))
      if end == nil {
        keys = keys.filter { changed[Place(root: root, key: $0)] == nil }
      } else {
        keys.subtract(removed[owner.key, default: []])
      }
      keys.formUnion(added[owner.key, default: []])
      // A member that the save deletes does not count.
      keys = keys.filter { key in
        if let row = changed[Place(root: root, key: key)] { row != nil } else { true }
      }
      members[Membership(owner: owner, toMany: toMany)] = keys.sorted()
    }
  }

  /// Returns the keys of changed rows, grouped by the key of the object that they refer to.
  private func referringKeys(_ relationship: EntityDescription.ToMany) -> [Int64: [Int64]] {
    var keys: [Int64: [Int64]] = [:]
    let declaring = Int(relationship.inverse.entity)
    for change in changes where model.entities[change.objectID.entityIndex].isKind(ofIndex: declaring) {
      guard let owner = change.row?.objectID(at: relationship.inverse.slot) else { continue }
      keys[owner.key, default: []].append(change.objectID.key)
    }
    return keys
  }

  /// Returns the keys that the save adds to a join table and removes from it, grouped by the key at one end.
  private func linkedKeys(_ end: JoinTableEnd) -> (added: [Int64: [Int64]], removed: [Int64: [Int64]]) {
    func keys(_ links: [StoreLink]) -> [Int64: [Int64]] {
      links.filter { $0.table == end.table }.reduce(into: [:]) { keys, link in
        let (owner, member) = end.isNaming ? (link.source, link.target) : (link.target, link.source)
        keys[owner, default: []].append(member)
      }
    }
    return (keys(links.additions), keys(links.removals))
  }

  // MARK: Computing

  /// Returns the row of an object with its derived attributes, and the slots whose values differ from before.
  /// The derived instant of a follower, which is an object that the save does not write itself, stays the same.
  func derived(_ row: Row, of objectID: ObjectID, isFollower: Bool = false) -> (row: Row, slots: SlotSet) {
    var derived = row
    var slots = SlotSet()
    for derivation in model.derivations[objectID.entityIndex] {
      if isFollower, case .now = derivation.formula { continue }
      let value = derivation.fitting(value(of: derivation, row: row, objectID: objectID))
      guard !row.holds(value, at: derivation.slot) else { continue }
      if slots.isEmpty { derived = row.copy() }
      derived.set(value, at: derivation.slot)
      slots.insert(derivation.slot)
    }
    return (derived, slots)
  }

  private func value(of derivation: Derivation, row: Row, objectID: ObjectID) -> Value {
    switch derivation.formula {
    case .now: return .date(now)
    case .attribute(let toOnes, let slot, let function):
      var source = row
      for toOne in toOnes {
        guard let target = source.objectID(at: toOne), let next = self.row(at: place(target)) else { return .null }
        source = next
      }
      let value = source.value(at: slot)
      if let function, case .string(let text) = value { return .string(function(text)) }
      return value
    case .count(let toMany):
      return .integer(Int64(members[Membership(owner: objectID, toMany: toMany)]?.count ?? 0))
    case .sum(let toMany, let slot):
      let relationship = model.entities[objectID.entityIndex].toManys[toMany]
      let root = model.entities[relationship.destination].root.index
      let keys = members[Membership(owner: objectID, toMany: toMany)] ?? []
      let rows = keys.compactMap { self.row(at: Place(root: root, key: $0)) }
      return AggregateFunction.sum.value(of: rows.map { $0.value(at: slot) })
    }
  }
}
