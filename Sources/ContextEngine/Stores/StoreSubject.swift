/// A row of any store as a subject of predicates and sort descriptors. Related objects are read from the store on
/// demand.
///
/// An object that cannot be read is treated as missing.
struct StoreSubject: PredicateSubject {
  let objectID: ObjectID
  let row: Row
  private let store: any PersistentStore

  init(_ row: StoreRow, of store: any PersistentStore) {
    objectID = row.objectID
    self.row = row.row
    self.store = store
  }

  func value(at path: PropertyPath) -> Value { row.value(at: path.slot) }

  func relatedSubject(at path: PropertyPath) -> StoreSubject? {
    guard case .object(let target) = value(at: path) else { return nil }
    return subject(target)
  }

  func relatedSubjects(at path: PropertyPath) -> [StoreSubject] {
    let relationship = store.model.entities[Int(path.entity)].toManys[path.slot]
    let objectIDs = (try? store.objectIDs(relatedBy: relationship, to: objectID)) ?? []
    return objectIDs.compactMap(subject)
  }

  private func subject(_ objectID: ObjectID) -> StoreSubject? {
    guard let row = try? store.row(for: objectID) else { return nil }
    return StoreSubject(StoreRow(objectID: objectID, row: row), of: store)
  }
}
