import MachineCore

// MARK: - Followers of a save

extension DerivationSource {
  /// Returns the objects that a save does not write and whose derived attributes may depend on what it changes, each
  /// once, in the order of their IDs.
  ///
  /// Objects whose derived attributes depend on members that are added or removed are not included, because the save
  /// writes them anyway. Sends one request to the store for each step of an expression whose sources have changed.
  func followers(of updates: SaveUpdates) throws(PersistenceError) -> [ObjectID] {
    var found: Set<ObjectID> = []
    for entity in model.entities {
      for derivation in model.derivations[entity.index] {
        switch derivation.formula {
        case .now, .count: break
        case .attribute(let toOnes, let slot, _):
          if !toOnes.isEmpty { found.formUnion(try followers(in: entity, along: toOnes, slot: slot, updates: updates)) }
        case .sum(let toMany, let slot):
          let relationship = entity.toManys[toMany]
          let members = Self.changed(slot, in: model.entities[relationship.destination], updates: updates)
          found.formUnion(try owners(of: members, by: relationship.inverse))
        }
      }
    }
    return found.filter { !isWritten($0) && !$0.isTemporaryID }.sorted()
  }

  /// Returns the objects of an entity from which a path over to-one relationships leads to a changed attribute, or over
  /// a changed relationship. Walks the path from its end to its beginning.
  private func followers(
    in entity: EntityDescription, along toOnes: [Int], slot: Int, updates: SaveUpdates
  ) throws(PersistenceError) -> Set<ObjectID> {
    var steps: [(entity: EntityDescription, toOne: EntityDescription.ToOne)] = []
    var current = entity
    for place in toOnes {
      guard case .toOne(let toOne) = current.slots[place] else { return [] }
      steps.append((current, toOne))
      current = model.entities[toOne.destination]
    }
    var reached = Self.changed(slot, in: current, updates: updates)
    for (place, step) in steps.enumerated().reversed() {
      reached = try owners(of: reached, by: step, at: toOnes[place])
      // Objects whose relationship on the path has changed are reached too. At the beginning of the path, the save
      // writes them itself.
      if place > 0 { reached.formUnion(Self.changed(toOnes[place], in: step.entity, updates: updates)) }
    }
    return reached.filter { model.entities[$0.entityIndex].isKind(ofIndex: entity.index) }
  }

  /// Returns the objects of an entity whose to-one relationship in a slot leads to some objects.
  private func owners(
    of objectIDs: Set<ObjectID>, by step: (entity: EntityDescription, toOne: EntityDescription.ToOne), at slot: Int
  ) throws(PersistenceError) -> Set<ObjectID> {
    if let inverse = step.toOne.inverse { return try owners(of: objectIDs, by: inverse) }
    let path = PropertyPath(entity: step.entity.index, slot: slot, kind: .toOne)
    let related = try coordinator.store.objectIDs(relatedBy: .back(along: path, step.toOne), to: objectIDs.sorted())
    return Set(related.joined())
  }

  /// Returns the objects at the other end of a relationship of some objects: a to-many path is read from the store, a
  /// to-one path from the rows that are known.
  private func owners(of objectIDs: Set<ObjectID>, by path: PropertyPath) throws(PersistenceError) -> Set<ObjectID> {
    var owners: Set<ObjectID> = []
    let groups = Dictionary(grouping: objectIDs.sorted(), by: \.entityIndex)
    for (index, group) in groups.sorted(by: { $0.key < $1.key }) {
      let entity = model.entities[index]
      if path.isToMany {
        for related in try coordinator.store.objectIDs(relatedBy: entity.toManys[path.slot], to: group) {
          owners.formUnion(related)
        }
      } else {
        owners.formUnion(group.compactMap { row(of: $0)?.objectID(at: path.slot) })
      }
    }
    return owners
  }

  private static func changed(
    _ slot: Int, in entity: EntityDescription, updates: SaveUpdates
  ) -> Set<ObjectID> {
    Set(
      updates.lazy.filter { entity.includes($0.objectID.entityIndex) && $0.action.changes(slot, from: $0.base) }
        .map(\.objectID))
  }
}

extension ConflictResolution {
  /// Returns true if the save writes a new value to the slot; for a row that is inserted again, a value other than in
  /// `base`, the row on which the change was based.
  fileprivate func changes(_ slot: Int, from base: Row) -> Bool {
    switch self {
    case .write(_, let slots, _): slots.contains(slot)
    case .insertAgain(let row): !row.isEqual(to: base, at: slot)
    case .delete, .takeStore: false
    }
  }
}
