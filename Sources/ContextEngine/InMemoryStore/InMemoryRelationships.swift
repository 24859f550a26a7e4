/// The relationship data of an in-memory store that its rows do not hold: the pairs of many-to-many relationships and
/// the order of ordered ones, which an SQLite store keeps in join tables and order columns.
struct InMemoryRelationships: Sendable {
  /// One table for each join table of the model.
  private var tables: [PairTable]
  /// The order numbers of the members of one-to-many relationships, whose rows hold the owner's key.
  private var numbers: [MemberPlace: Int64] = [:]

  private struct PairTable: Sendable {
    /// The keys at the target end, ascending, by the key at the source end.
    var targets: [Int64: [Int64]] = [:]
    var sources: [Int64: [Int64]] = [:]
    /// The order number of each pair in the source's relationship, and in the target's.
    var targetNumbers: [StoreLink: Int64] = [:]
    var sourceNumbers: [StoreLink: Int64] = [:]
  }

  /// A row and its to-one relationship, which identify the row's position in the ordered inverse relationship.
  private struct MemberPlace: Hashable, Sendable {
    var inverse: PropertyPath
    var key: Int64
  }

  init(_ model: ManagedObjectModel) {
    tables = Array(repeating: PairTable(), count: model.joinTables.tables.count)
  }

  // MARK: Reading

  /// Returns the keys of the members of an object's many-to-many relationship, in the relationship's order or
  /// ascending. O(n log n).
  func keys(_ end: JoinTableEnd, of key: Int64, isOrdered: Bool) -> [Int64] {
    let keys = members(end, of: key)
    return isOrdered
      ? sort(keys.map { OrderNumbers.Member(key: $0, number: number(at: end, owner: key, member: $0)) }).map(\.key)
      : keys
  }

  /// Returns keys that refer to one owner by the to-one relationship at `inverse`, in the order of the owner's
  /// relationship.
  func sorted(_ keys: [Int64], by inverse: PropertyPath) -> [OrderNumbers.Member] {
    sort(keys.map { OrderNumbers.Member(key: $0, number: numbers[MemberPlace(inverse: inverse, key: $0)]) })
  }

  /// Returns members by ascending number and then by key. Members without a number are last.
  private func sort(_ members: [OrderNumbers.Member]) -> [OrderNumbers.Member] {
    members.sorted { ($0.number ?? .max, $0.key) < ($1.number ?? .max, $1.key) }
  }

  private func members(_ end: JoinTableEnd, of key: Int64) -> [Int64] {
    (end.isNaming ? tables[end.table].targets[key] : tables[end.table].sources[key]) ?? []
  }

  private func number(at end: JoinTableEnd, owner: Int64, member: Int64) -> Int64? {
    let link = end.link(owner, to: member)
    return end.isNaming ? tables[end.table].targetNumbers[link] : tables[end.table].sourceNumbers[link]
  }

  // MARK: Writing

  /// Writes a save's changes. The rows have been written before, and `members` returns the keys of the rows that refer
  /// to an owner now.
  mutating func write(
    _ changes: StoreRelationshipChanges, model: ManagedObjectModel,
    members: (_ relationship: EntityDescription.ToMany, _ owner: ObjectID) -> [Int64]
  ) {
    for link in changes.removals { remove(link) }
    for clearance in changes.clearances {
      for member in self.members(clearance.end, of: clearance.key) {
        remove(clearance.end.link(clearance.key, to: member))
      }
    }
    for link in changes.additions { insert(link) }
    // Departed members are removed first, so that members that moved to another owner get their numbers there
    // afterwards.
    for order in changes.orders {
      let relationship = model.entities[order.owner.entityIndex].toManys[order.relationship]
      for key in order.departed { numbers[MemberPlace(inverse: relationship.inverse, key: key)] = nil }
    }
    for order in changes.orders {
      let relationship = model.entities[order.owner.entityIndex].toManys[order.relationship]
      if let end = model.joinTables.end(of: relationship) {
        write(order, at: end)
      } else {
        write(order, by: relationship.inverse, members: members(relationship, order.owner))
      }
    }
  }

  /// Removes the order numbers of a deleted row.
  mutating func forgetPlaces(of objectID: ObjectID, _ model: ManagedObjectModel) {
    for slot in model.entities[objectID.entityIndex].slots {
      guard case .toOne(let relationship) = slot, relationship.hasOrderedInverse,
        let inverse = relationship.inverse
      else { continue }
      let back = model.entities[relationship.destination].toManys[inverse.slot].inverse
      numbers[MemberPlace(inverse: back, key: objectID.key)] = nil
    }
  }

  private mutating func write(_ order: StoreRelationshipChanges.Order, at end: JoinTableEnd) {
    let owner = order.owner.key
    let stored = sort(
      members(end, of: owner).map { OrderNumbers.Member(key: $0, number: number(at: end, owner: owner, member: $0)) })
    for change in OrderNumbers.changes(for: OrderNumbers.wantedOrder(of: stored, order)) {
      let link = end.link(owner, to: change.key)
      if end.isNaming {
        tables[end.table].targetNumbers[link] = change.number
      } else {
        tables[end.table].sourceNumbers[link] = change.number
      }
    }
  }

  private mutating func write(
    _ order: StoreRelationshipChanges.Order, by inverse: PropertyPath, members: [Int64]
  ) {
    let stored = sorted(members, by: inverse)
    for change in OrderNumbers.changes(for: OrderNumbers.wantedOrder(of: stored, order)) {
      numbers[MemberPlace(inverse: inverse, key: change.key)] = change.number
    }
  }

  private mutating func insert(_ link: StoreLink) {
    Self.insert(link.target, into: &tables[link.table].targets[link.source, default: []])
    Self.insert(link.source, into: &tables[link.table].sources[link.target, default: []])
  }

  private mutating func remove(_ link: StoreLink) {
    tables[link.table].targets[link.source]?.removeAll { $0 == link.target }
    tables[link.table].sources[link.target]?.removeAll { $0 == link.source }
    tables[link.table].targetNumbers[link] = nil
    tables[link.table].sourceNumbers[link] = nil
  }

  private static func insert(_ key: Int64, into keys: inout [Int64]) {
    if let last = keys.last, last >= key {
      let place = keys.firstIndex { $0 >= key } ?? keys.count
      if keys[place] != key { keys.insert(key, at: place) }
    } else {
      keys.append(key)
    }
  }
}
