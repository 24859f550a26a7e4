/// A row of a store in memory with the tables around it, as predicates and orders look at it.
///
/// Sees one state of the store, whatever is saved meanwhile.
struct InMemorySubject: PredicateSubject {
  let objectID: ObjectID
  private let row: Row
  private let model: ManagedObjectModel
  private let tables: [InMemoryTable]

  /// - Parameter tables: one per entity of the model.
  init(_ objectID: ObjectID, row: Row, _ model: ManagedObjectModel, _ tables: [InMemoryTable]) {
    self.objectID = objectID
    self.row = row
    self.model = model
    self.tables = tables
  }

  func value(at path: PropertyPath) -> Value { row.values[path.slot] }

  func relatedSubject(at path: PropertyPath) -> InMemorySubject? {
    guard case .object(let target) = value(at: path) else { return nil }
    return subject(target)
  }

  func relatedSubjects(at path: PropertyPath) -> [InMemorySubject] {
    let relationship = model.entities[Int(path.entity)].toManys[path.slot]
    return tables[relationship.destination].keys(referringTo: objectID.key, at: relationship.inverse.slot)
      .compactMap { subject(ObjectID(entity: relationship.destination, key: $0)) }
  }

  private func subject(_ objectID: ObjectID) -> InMemorySubject? {
    tables[objectID.entityIndex].row(objectID.key).map { InMemorySubject(objectID, row: $0, model, tables) }
  }
}
