extension InMemoryStore {
  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID] {
    try objectIDs(relatedBy: relationship, to: [objectID])[0]
  }

  package func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]] {
    let contents = try contents(for: "read the keys behind \(relationship.name)")
    let related = objectIDs.map { Self.objectIDs(relatedBy: relationship, to: $0, model: model, contents: contents) }
    report(steppedKeyCount: related.reduce(0) { $0 + $1.count })
    return related
  }

  static func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID, model: ManagedObjectModel,
    contents: State
  ) -> [ObjectID] {
    let table = contents.tables[model.entities[relationship.destination].root.index]
    let keys: [Int64]
    if let end = model.joinTables.end(of: relationship) {
      keys = contents.relationships.keys(end, of: objectID.key, isOrdered: relationship.isOrdered)
    } else {
      let referring = table.objectIDs(referringTo: objectID.key, by: relationship.inverse, model)
      guard relationship.isOrdered else { return referring }
      keys = contents.relationships.sorted(referring.map(\.key), by: relationship.inverse).map(\.key)
    }
    return keys.compactMap { table.position(of: $0).map(table.objectID) }
  }

  /// Writes a save's changes of pairs and orders, after its rows were written.
  static func writeRelationships(_ changes: StoreChanges, model: ManagedObjectModel, to state: inout State) {
    guard model.hasPairsOrOrders else { return }
    for deletion in changes.deletions { state.relationships.forgetPlaces(of: deletion.objectID, model) }
    let tables = state.tables
    state.relationships.write(changes.relationships, model: model) { relationship, owner in
      tables[model.entities[relationship.destination].root.index]
        .objectIDs(referringTo: owner.key, by: relationship.inverse, model).map(\.key)
    }
  }
}
