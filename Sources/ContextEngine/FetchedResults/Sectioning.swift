/// How a controller's list is cut into sections.
struct Sectioning: Sendable {
  /// The property that names an object's section; the first to sort by.
  let path: PropertyPath
  private let nameOfValue: (@Sendable (Value) -> String)?

  init(_ path: PropertyPath, name: (@Sendable (Value) -> String)?) {
    self.path = path
    nameOfValue = name
  }

  /// The section of an object. Fires it.
  func name(of object: ManagedObject) -> String { name(of: object[path]) }

  func name(of value: Value) -> String {
    if let nameOfValue { return nameOfValue(value) }
    return switch value {
    case .null: ""
    case .string(let string): string
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .boolean(let isTrue): isTrue ? "1" : "0"
    default: "\(value)"
    }
  }
}

extension ManagedObjectContext {
  /// What objects have at one property, with unsaved changes, without realising any that the context has as faults.
  ///
  /// From the objects that are realised, then from those of the contexts above, each asked in one block; then from the row
  /// cache, and for the rest by one SELECT of that property. `.null` for objects whose rows are gone. O(objects).
  func values(at path: PropertyPath, of objectIDs: [ObjectID]) throws(PersistenceError) -> [Value] {
    var values = registry.objects(for: objectIDs).map { $0?.knownValue(at: path.slot) }
    let missing = values.indices.filter { values[$0] == nil }
    if missing.isEmpty { return values.map { $0 ?? .null } }
    let asked = missing.map { coordinator.identities.canonical(objectIDs[$0]) }
    let found =
      if let parent {
        try inParentBlock(of: parent) { () throws(PersistenceError) in
          try parent.values(at: path, of: missing.map { objectIDs[$0] })
        }
      } else {
        try coordinator.values(at: path, of: asked)
      }
    for (index, value) in zip(missing, found) { values[index] = value }
    return values.map { $0 ?? .null }
  }
}

extension PersistentStoreCoordinator {
  fileprivate func values(at path: PropertyPath, of objectIDs: [ObjectID]) throws(PersistenceError) -> [Value] {
    var values: [Value?] = rowCache.rows(for: objectIDs).map { $0?.value(at: path.slot) }
    let missing = values.indices.filter { values[$0] == nil && !objectIDs[$0].isTemporaryID }
    if !missing.isEmpty {
      let found = try rows(
        of: model.entities[Int(path.entity)], keys: missing.map { objectIDs[$0].key }, slots: 1 << UInt64(path.slot))
      let byID = Dictionary(found.map { ($0.objectID, $0.row) }) { first, _ in first }
      for index in missing { values[index] = byID[objectIDs[index]]?.value(at: path.slot) }
    }
    return values.map { $0 ?? .null }
  }
}

extension ManagedObject {
  /// What the object has in a slot without firing it; nil where it does not know.
  fileprivate func knownValue(at slot: Int) -> Value? {
    if let changedRow { return changedRow.value(at: slot) }
    guard let snapshot, snapshot.slots & (1 << UInt64(slot)) != 0 else { return nil }
    return snapshot.value(at: slot)
  }
}
