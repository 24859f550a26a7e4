import MachineCore

/// Writes new rows of one entity into a store without making objects.
///
/// Contexts, validation and notifications are passed by: what is in memory learns of the rows when their IDs are merged.
/// Attributes that a row does not name get their defaults, derived ones are computed. Relationships cannot be set. Where the
/// entity has uniqueness constraints, a row that meets another one is left out under the merge policies `error`,
/// `store-trump` and `rollback`; under `object-trump` and `overwrite` it updates the other row, whose version rises.
public struct BatchInsertRequest {
  public let entity: EntityDescription
  public var resultType = BatchResultType.statusOnly
  /// Rows per transaction; 0 = all in one, so that either all are written or none. With more than one transaction the
  /// earlier ones stay where a later one fails.
  public var batchSize = 0

  let source: Source

  enum Source {
    case dictionaries([[String: Value]])
    case dictionaryHandler((inout [String: Value]) -> Bool)
    case rowHandler((inout BatchRow) -> Bool)
  }

  /// Inserts one row for each dictionary of property names and values.
  public init(_ entity: EntityDescription, objects: [[String: Value]]) {
    self.entity = entity
    source = .dictionaries(objects)
  }

  /// Asks `dictionaryHandler` to fill an empty dictionary for each row until it returns true, which says that there are
  /// no more.
  ///
  /// The handler runs while the store's writer is taken: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, dictionaryHandler: @escaping (inout [String: Value]) -> Bool) {
    self.entity = entity
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Asks `rowHandler` to fill one row, which is used again and again and comes with the entity's defaults, until it
  /// returns true, which says that there are no more. The cheapest way: no names are looked up, no dictionaries made.
  ///
  /// The handler runs while the store's writer is taken: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, rowHandler: @escaping (inout BatchRow) -> Bool) {
    self.entity = entity
    source = .rowHandler(rowHandler)
  }
}

/// The values of one row that a batch insert is about to write.
public struct BatchRow {
  public let entity: EntityDescription
  /// One value per slot.
  package private(set) var values: [Value]
  /// The slots that were set, as bits; the others have their defaults.
  package private(set) var slots: UInt64 = 0

  init(_ entity: EntityDescription) {
    self.entity = entity
    values = entity.defaultValues
  }

  /// An attribute's value.
  ///
  /// Traps for a property of another entity and for a relationship, and where a derived attribute or a value that is not of
  /// the attribute's type is set.
  public subscript(path: PropertyPath) -> Value {
    get {
      check(path)
      return attribute(at: path.slot).shown(values[path.slot])
    }
    set {
      check(path)
      guard entity.attributeTypes[path.slot].admits(newValue) else {
        trapMisuse("\(title(of: path)) was set to \(newValue) in a batch insert, which is not of its type")
      }
      if let text = attribute(at: path.slot).derivationExpression {
        trapMisuse("\(title(of: path)) was set in a batch insert, but is derived from “\(text)”")
      }
      set(newValue, at: path.slot)
    }
  }

  /// Gives every attribute its default again.
  mutating func clear() {
    for slot in values.indices where slots & (1 << UInt64(slot)) != 0 { values[slot] = entity.defaultValues[slot] }
    slots = 0
  }

  /// Takes the values of a dictionary over.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` for a name that is none of the entity's attributes or a value
  ///   that is not of its type.
  mutating func fill(_ dictionary: [String: Value]) throws(PersistenceError) {
    clear()
    // Sorted, so that of several mistakes the same is named in every process.
    for (name, value) in dictionary.count > 1 ? dictionary.sorted(by: { $0.key < $1.key }) : Array(dictionary) {
      guard let path = entity.pathIfPresent(name), path.kind == .attribute else {
        throw PersistenceError(
          .unsupportedRequest,
          "a batch insert sets \(entity.name).\(name), which is no attribute; it can set "
            + entity.attributes.map(\.name).joined(separator: ", "))
      }
      if let text = attribute(at: path.slot).derivationExpression {
        throw PersistenceError(
          .unsupportedRequest, "a batch insert sets \(entity.name).\(name), which is derived from “\(text)”")
      }
      guard entity.attributeTypes[path.slot].admits(value) else {
        throw PersistenceError(
          .unsupportedRequest, "a batch insert sets \(entity.name).\(name) to \(value), which is not of its type")
      }
      set(value, at: path.slot)
    }
  }

  /// Refuses a value of which its transformer could make no bytes. O(slots) where there are transformable attributes.
  ///
  /// - Throws: `.managedObjectValidation`.
  fileprivate func checkBytes() throws(PersistenceError) {
    for slot in entity.validation.transformableSlots {
      guard case .transformable(let value) = values[slot] else { continue }
      throw PersistenceError(
        .managedObjectValidation,
        "a batch insert sets \(entity.name).\(entity.slots[slot].name) to \(value), of which its transformer can make no bytes"
      )
    }
  }

  private mutating func set(_ value: Value, at slot: Int) {
    values[slot] = attribute(at: slot).stored(value)
    slots |= 1 << UInt64(slot)
  }

  private func attribute(at slot: Int) -> AttributeDescription {
    guard case .attribute(let attribute) = entity.slots[slot] else {
      trapMisuse("a batch insert cannot set the relationship \(entity.name).\(entity.slots[slot].name)")
    }
    return attribute
  }

  private func check(_ path: PropertyPath) {
    guard entity.isKind(ofIndex: Int(path.entity)) else {
      trapMisuse("a batch insert of entity \(entity.name) names a property of entity number \(path.entity)")
    }
    guard path.kind == .attribute else {
      trapMisuse("a batch insert cannot set the relationship \(title(of: path))")
    }
  }

  private func title(of path: PropertyPath) -> String { "\(entity.name).\(entity.propertyName(at: path))" }
}

extension BatchInsertRequest {
  /// What the store asks for each row: fills the row and returns true, or false at the end.
  func rows() -> (inout BatchRow) throws(PersistenceError) -> Bool {
    switch source {
    case .dictionaries(let dictionaries):
      var next = dictionaries.makeIterator()
      return { row throws(PersistenceError) in
        guard let dictionary = next.next() else { return false }
        try row.fill(dictionary)
        try row.checkBytes()
        return true
      }
    case .dictionaryHandler(let handler):
      return { row throws(PersistenceError) in
        var dictionary: [String: Value] = [:]
        if handler(&dictionary) { return false }
        try row.fill(dictionary)
        try row.checkBytes()
        return true
      }
    case .rowHandler(let handler):
      return { row throws(PersistenceError) in
        row.clear()
        if handler(&row) { return false }
        try row.checkBytes()
        return true
      }
    }
  }
}
