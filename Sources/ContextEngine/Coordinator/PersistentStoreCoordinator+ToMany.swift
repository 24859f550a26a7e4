// MARK: - Reading to-many relationships

extension PersistentStoreCoordinator {
  /// Returns the IDs at the other end of a to-many relationship. Runs one SELECT.
  func relatedObjectIDs(of objectID: ObjectID, at toMany: Int) throws(PersistenceError) -> [ObjectID] {
    let permanent = identities.canonical(objectID)
    let relationship = model.entities[permanent.entityIndex].toManys[toMany]
    return try reading { () throws(PersistenceError) -> [ObjectID] in
      try store.objectIDs(relatedBy: relationship, to: permanent)
    }
  }

  /// Returns the IDs at the other end of a to-many relationship for many objects, in the order of `objectIDs`. The
  /// lists of objects that have no row yet are empty. Runs one SELECT.
  ///
  /// The entities of all the objects are, or inherit from, the entity that declares the relationship.
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
