extension InMemoryStore {
  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID] {
    try objectIDs(relatedBy: relationship, to: [objectID])[0]
  }

  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]] {
    let view = view(of: try contents(for: "read the keys behind \(relationship.name)"))
    let related = objectIDs.map { view.objectIDs(relatedBy: relationship, to: $0) }
    report(steppedKeyCount: related.reduce(0) { $0 + $1.count })
    return related
  }

  /// Carries out what a save changes of pairs and orders, once its rows are written.
  static func writeRelationships(_ changes: StoreChanges, _ model: ManagedObjectModel, to state: inout State) {
    guard model.hasPairsOrOrders else { return }
    for deletion in changes.deletions { state.relationships.forgetPlaces(of: deletion.objectID, model) }
    let tables = state.tables
    state.relationships.write(changes.relationships, model) { relationship, owner in
      tables[model.entities[relationship.destination].root.index]
        .objectIDs(referringTo: owner.key, by: relationship.inverse, model).map(\.key)
    }
  }
}

extension InMemoryView {
  /// What a to-many relationship of an object leads to, in its order or by key.
  func objectIDs(relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID) -> [ObjectID] {
    let table = table(of: relationship.destination)
    let keys: [Int64]
    if let end = model.joinTables.end(of: relationship) {
      keys = relationships.keys(end, of: objectID.key, isOrdered: relationship.isOrdered)
    } else {
      let referring = table.objectIDs(referringTo: objectID.key, by: relationship.inverse, model)
      guard relationship.isOrdered else { return referring }
      keys = relationships.sorted(referring.map(\.key), by: relationship.inverse).map(\.key)
    }
    return keys.compactMap { table.position(of: $0).map(table.objectID) }
  }
}
