import MachineCore

/// The values of one row that a batch insert is about to write.
public struct BatchRow {
  /// The entity of the row.
  public let entity: EntityDescription
  /// The values, one per slot.
  package private(set) var values: [Value]
  /// The slots that were set. The other slots have their default values.
  package private(set) var slots = SlotSet()

  init(_ entity: EntityDescription) {
    self.entity = entity
    values = entity.defaultValues
  }

  /// The value of an attribute.
  ///
  /// Traps if the property belongs to another entity or is a relationship. Setting also traps if the attribute is
  /// derived or if the value is not of its type.
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

  /// Resets every attribute to its default value.
  mutating func clear() {
    for slot in values.indices where slots.contains(slot) { values[slot] = entity.defaultValues[slot] }
    slots = SlotSet()
  }

  /// Replaces the row's values with those of a dictionary. Attributes that it does not contain get their default
  /// values.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` if a name is not an attribute of the entity, if the
  ///   attribute is derived, or if a value is not of the attribute's type.
  mutating func fill(_ dictionary: [String: Value]) throws(PersistenceError) {
    clear()
    // The names are sorted so that the same one of several mistakes is reported in every process.
    for (name, value) in dictionary.count > 1 ? dictionary.sorted(by: { $0.key < $1.key }) : Array(dictionary) {
      guard let path = entity.pathIfPresent(name), path.kind == .attribute else {
        throw PersistenceError(
          .unsupportedRequest,
          "a batch insert sets \(entity.name).\(name), which is not an attribute; it can set "
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

  /// Throws if a value cannot be converted to bytes by its attribute's transformer. O(transformable attributes).
  ///
  /// - Throws: `PersistenceError` with `.managedObjectValidation`.
  func checkBytes() throws(PersistenceError) {
    for slot in entity.validation.transformableSlots {
      guard case .transformable(let value) = values[slot] else { continue }
      throw PersistenceError(
        .managedObjectValidation,
        "a batch insert sets \(entity.name).\(entity.slots[slot].name) to \(value), which its transformer cannot "
          + "convert to bytes"
      )
    }
  }

  private mutating func set(_ value: Value, at slot: Int) {
    values[slot] = attribute(at: slot).stored(value)
    slots.insert(slot)
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
