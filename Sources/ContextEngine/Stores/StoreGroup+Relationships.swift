// MARK: - Relationships, which stay inside a store

extension StoreGroup {
  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID] {
    let member = try member(of: objectID)
    return try member.store.objectIDs(relatedBy: relationship, to: objectID.local).map { $0.inStore(member.number) }
  }

  /// Returns the related objects of many objects, with one request to each store that has some of them.
  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]] {
    var related = Array(repeating: [ObjectID](), count: objectIDs.count)
    for objectID in objectIDs { _ = try member(of: objectID) }
    for member in members {
      let places = objectIDs.indices.filter { objectIDs[$0].store == member.number }
      if places.isEmpty { continue }
      let read = try member.store.objectIDs(relatedBy: relationship, to: places.map { objectIDs[$0].local })
      for (place, objectIDs) in zip(places, read) { related[place] = objectIDs.map { $0.inStore(member.number) } }
    }
    return related
  }
}

extension StoreRelationshipChanges {
  /// Returns the changes that the store with this number writes, with the store's local keys.
  func part(ofStore number: Int) -> StoreRelationshipChanges {
    if isEmpty { return self }
    func local(_ key: Int64) -> Int64 { ObjectID(entity: 0, key: key).rowKey }
    func isHere(_ key: Int64) -> Bool { ObjectID(entity: 0, key: key).store == number }
    func links(_ links: [StoreLink]) -> [StoreLink] {
      links.filter { isHere($0.source) }
        .map { StoreLink(table: $0.table, source: local($0.source), target: local($0.target)) }
    }
    var part = StoreRelationshipChanges()
    part.removals = links(removals)
    part.additions = links(additions)
    part.clearances = clearances.filter { isHere($0.key) }.map { Clearance(end: $0.end, key: local($0.key)) }
    part.orders = orders.filter { $0.owner.store == number }.map { order in
      Order(
        owner: order.owner.local, relationship: order.relationship, arranged: order.arranged?.map(local),
        appended: order.appended.map(local), departed: order.departed.map(local))
    }
    return part
  }
}

extension StoreLink {
  /// Indicates whether the two objects are in different stores, in which case no join table can hold the pair.
  var crossesStores: Bool { ObjectID(entity: 0, key: source).store != ObjectID(entity: 0, key: target).store }
}
