/// A snapshot of an in-memory store, which later saves do not change.
struct InMemoryView {
  let model: ManagedObjectModel
  let contents: InMemoryStore.State
  /// The index of each entity's root entity, whose table has the entity's rows, by the entity's index.
  let roots: [Int]

  func table(of entity: Int) -> InMemoryTable { contents.tables[roots[entity]] }

  /// Returns the object with this ID, or nil if it has no row.
  func subject(_ objectID: ObjectID) -> InMemorySubject? {
    table(of: objectID.entityIndex).row(of: objectID).map { InMemorySubject(objectID: objectID, row: $0, view: self) }
  }

  /// Returns every object in the table of an entity's root entity, in the order of keys. O(rows).
  func subjects(of entity: EntityDescription) -> [InMemorySubject] {
    let table = table(of: entity.index)
    return (0..<table.count).map { position in
      InMemorySubject(objectID: table.objectID(at: position), row: table.row(at: position), view: self)
    }
  }
}

/// A row of an in-memory store as a subject of predicates and sort descriptors, with access to related rows.
struct InMemorySubject: PredicateSubject {
  let objectID: ObjectID
  let row: Row
  fileprivate let view: InMemoryView

  func value(at path: PropertyPath) -> Value { row.value(at: path.slot) }

  func relatedSubject(at path: PropertyPath) -> InMemorySubject? {
    guard case .object(let target) = value(at: path) else { return nil }
    return view.subject(target)
  }

  func relatedSubjects(at path: PropertyPath) -> [InMemorySubject] {
    let relationship = view.model.entities[Int(path.entity)].toManys[path.slot]
    return InMemoryStore.objectIDs(relatedBy: relationship, to: objectID, model: view.model, contents: view.contents)
      .compactMap(view.subject)
  }
}
