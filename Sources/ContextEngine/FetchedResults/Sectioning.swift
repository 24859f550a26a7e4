/// The rule that divides a controller's list into sections.
struct Sectioning: Sendable {
  /// The property that determines an object's section. It is the first sort key.
  let path: PropertyPath
  private let nameOfValue: (@Sendable (Value) -> String)?

  init(_ path: PropertyPath, name: (@Sendable (Value) -> String)?) {
    self.path = path
    nameOfValue = name
  }

  /// Returns the section name of an object. It fires the object.
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
  /// Returns the values of objects at one property, including unsaved changes, without realising objects that are
  /// faults in the context.
  ///
  /// The values come from realised objects, then from those of the contexts above, with one block per context, then
  /// from the row cache, and the rest from one SELECT of that property. The value is `.null` if the object's row is
  /// gone. O(objects).
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
        of: model.entities[Int(path.entity)], keys: missing.map { objectIDs[$0].key }, slots: SlotSet(path.slot))
      let byID = Dictionary(found.map { ($0.objectID, $0.row) }) { first, _ in first }
      for index in missing { values[index] = byID[objectIDs[index]]?.value(at: path.slot) }
    }
    return values.map { $0 ?? .null }
  }
}

extension ManagedObject {
  /// Returns the object's value in a slot without firing it, or nil if the object does not have the value.
  fileprivate func knownValue(at slot: Int) -> Value? {
    if let changedRow { return changedRow.value(at: slot) }
    guard let snapshot, snapshot.wasRead(slot) else { return nil }
    return snapshot.value(at: slot)
  }
}
