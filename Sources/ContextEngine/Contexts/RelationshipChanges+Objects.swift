// MARK: - Collecting the changes of objects

extension RelationshipChanges {
  /// Collects the relationship changes of objects. A pair appears at both of its ends, and only once in the changes
  /// that a store gets. O(changes); O(1) for a model whose to-many relationships are all unordered and have a to-one
  /// inverse.
  init(inserted: [ManagedObject], updated: [ManagedObject], deleted: [ManagedObject], _ model: ManagedObjectModel) {
    guard model.hasPairsOrOrders else { return }
    for object in inserted + updated {
      for (place, state) in object.toManys.enumerated() where state.hasChanges {
        note(state, of: object, at: place, model: model)
      }
    }
    for object in deleted {
      for place in object.entity.toManys.indices {
        guard let end = model.joinTables.end(entity: object.entity.index, relationship: place) else { continue }
        clearances.append((end, object.objectID))
        // An object can be in both columns of a relationship that is its own inverse.
        guard model.joinTables.tables[end.table].isReflexive else { continue }
        clearances.append((JoinTableEnd(table: end.table, isNaming: !end.isNaming), object.objectID))
      }
    }
  }

  private mutating func note(
    _ state: ToManyState, of object: ManagedObject, at place: Int, model: ManagedObjectModel
  ) {
    if let end = model.joinTables.end(entity: object.entity.index, relationship: place) {
      for related in state.added { additions.append(Pair(end: end, owner: object.objectID, related: related)) }
      for related in state.removed where !state.added.contains(related) {
        removals.append(Pair(end: end, owner: object.objectID, related: related))
      }
    }
    let relationship = object.entity.toManys[place]
    guard relationship.isOrdered else { return }
    let appended = state.arranged == nil ? state.added.elements : []
    orders.append(
      Order(
        owner: object.objectID, relationship: place, arranged: state.arranged, appended: appended,
        moved: relationship.isManyToMany ? appended.filter { state.removed.contains($0) } : appended,
        departed: state.removed.filter { !state.added.contains($0) }))
  }
}
