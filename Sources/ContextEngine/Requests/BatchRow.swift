import MachineCore

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
  func checkBytes() throws(PersistenceError) {
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
