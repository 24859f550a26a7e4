// MARK: - Reading to-many relationships

extension PersistentStoreCoordinator {
  /// The IDs at the other end of a to-many relationship: one SELECT.
  func relatedObjectIDs(of objectID: ObjectID, at toMany: Int) throws(PersistenceError) -> [ObjectID] {
    let permanent = identities.canonical(objectID)
    let relationship = model.entities[permanent.entityIndex].toManys[toMany]
    return try reading { () throws(PersistenceError) -> [ObjectID] in
      try store.objectIDs(relatedBy: relationship, to: permanent)
    }
  }

  /// The IDs at the other end of the same to-many relationship of many objects, in step with them: one SELECT. Objects
  /// that have no row yet have none.
  ///
  /// - Parameter objectIDs: of entities that have inherited the relationship from the same one, or of that one.
  func relatedObjectIDs(of objectIDs: [ObjectID], at toMany: Int) throws(PersistenceError) -> [[ObjectID]] {
    let permanent = objectIDs.map(identities.canonical)
    let stored = permanent.filter { !$0.isTemporaryID }
    guard let first = stored.first else { return objectIDs.map { _ in [] } }
    let relationship = model.entities[first.entityIndex].toManys[toMany]
    let read = try reading { () throws(PersistenceError) -> [[ObjectID]] in
      try store.objectIDs(relatedBy: relationship, to: stored)
    }
    var rest = read.makeIterator()
    return permanent.map { $0.isTemporaryID ? [] : rest.next() ?? [] }
  }
}
