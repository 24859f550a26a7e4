/// One state of a store in memory, whatever is saved meanwhile.
struct InMemoryView {
  let model: ManagedObjectModel
  let contents: InMemoryStore.State
  /// By the index of an entity, that of the root entity whose table has its rows.
  let roots: [Int]

  func table(of entity: Int) -> InMemoryTable { contents.tables[roots[entity]] }

  /// The object with this ID; nil = it has no row.
  func subject(_ objectID: ObjectID) -> InMemorySubject? {
    table(of: objectID.entityIndex).row(of: objectID).map { InMemorySubject(objectID: objectID, row: $0, view: self) }
  }

  /// Every object of a family, in the order of keys. O(rows).
  func subjects(of entity: EntityDescription) -> [InMemorySubject] {
    let table = table(of: entity.index)
    return (0..<table.count).map { position in
      InMemorySubject(objectID: table.objectID(at: position), row: table.row(at: position), view: self)
    }
  }
}

/// A row of a store in memory with what is around it, as predicates and orders look at it.
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
    return InMemoryStore.objectIDs(relatedBy: relationship, to: objectID, view.model, view.contents)
      .compactMap(view.subject)
  }
}
