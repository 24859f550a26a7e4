/// The relationship changes of a context that no row holds, on their way into a store: pairs of many-to-many
/// relationships and the order of ordered ones. IDs may be temporary.
struct RelationshipChanges {
  var additions: [Pair] = []
  var removals: [Pair] = []
  var orders: [Order] = []
  /// The deleted objects, each with a column of a join table that may hold its key.
  var clearances: [(end: JoinTableEnd, objectID: ObjectID)] = []

  struct Pair {
    var end: JoinTableEnd
    var owner: ObjectID
    var related: ObjectID
  }

  struct Order {
    var owner: ObjectID
    var relationship: Int
    var arranged: [ObjectID]?
    var appended: [ObjectID]
    var moved: [ObjectID]
    var departed: [ObjectID]
  }

  init() {}

  var isEmpty: Bool { additions.isEmpty && removals.isEmpty && orders.isEmpty && clearances.isEmpty }

  /// Returns true if pairs or an order of the object have changed. O(changes).
  func haveChanges(of objectID: ObjectID) -> Bool {
    (additions + removals).contains { $0.owner == objectID } || orders.contains { $0.owner == objectID }
  }

  /// Converts the changes to the form that a store takes.
  ///
  /// - Parameters:
  ///   - givenUp: The objects whose changes a merge policy discarded; their pairs and orders stay as they are.
  ///   - permanentID: A function that returns the ID that an object has in the store.
  /// - Returns: The changes with keys, each pair once, in an order that depends on keys alone.
  func storeChanges(
    givenUp: Set<ObjectID>, permanentID: (ObjectID) -> ObjectID
  ) -> StoreRelationshipChanges {
    let cleared = Set(clearances.map { permanentID($0.objectID) }).subtracting(givenUp)
    func links(_ pairs: [Pair]) -> [StoreLink] {
      let links = pairs.flatMap { pair -> [StoreLink] in
        let owner = permanentID(pair.owner)
        let related = permanentID(pair.related)
        // The clearance of a deleted object removes all its pairs.
        if [owner, related].contains(where: { givenUp.contains($0) || cleared.contains($0) }) { return [] }
        return [pair.end.link(owner.key, to: related.key)]
      }
      return Set(links).sorted()
    }
    var changes = StoreRelationshipChanges()
    changes.removals = links(removals)
    changes.additions = links(additions)
    changes.clearances = Set(
      clearances.compactMap { clearance in
        let objectID = permanentID(clearance.objectID)
        return givenUp.contains(objectID) ? nil : .init(end: clearance.end, key: objectID.key)
      }
    ).sorted()
    changes.orders = orders.compactMap { order in
      let owner = permanentID(order.owner)
      return givenUp.contains(owner) ? nil : storeOrder(order, of: owner, permanentID: permanentID)
    }
    changes.orders.sort { ($0.owner, $0.relationship) < ($1.owner, $1.relationship) }
    return changes
  }

  private func storeOrder(
    _ order: Order, of owner: ObjectID, permanentID: (ObjectID) -> ObjectID
  ) -> StoreRelationshipChanges.Order {
    func keys(_ objectIDs: [ObjectID]) -> [Int64] { objectIDs.map { permanentID($0).key } }
    return StoreRelationshipChanges.Order(
      owner: owner, relationship: order.relationship, arranged: order.arranged.map(keys),
      appended: keys(order.appended), moved: keys(order.moved), departed: keys(order.departed))
  }
}
