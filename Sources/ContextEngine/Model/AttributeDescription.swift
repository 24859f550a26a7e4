import MachineCore

/// An attribute of an entity as a model declares it.
public struct AttributeDescription: Hashable, Sendable {
  public let name: String
  public let type: AttributeType
  /// Whether nil may be saved; a mandatory attribute without a value fails a save with 1570.
  public let isOptional: Bool
  /// Whether a store keeps an index over the attribute, so that a look-up by its value reads no whole table.
  public let isIndexed: Bool
  /// What a new object holds; `.null` = nothing.
  public let defaultValue: Value
  /// What its values have to keep to when they are saved.
  public let validation: ValidationRules

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isIndexed: Bool = false,
    defaultValue: Value = .null, validation: ValidationRules = .none
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.validation = validation
    guard type.admits(defaultValue) else {
      trapMisuse("attribute \(name) is of type \(type), its default value \(defaultValue) is not")
    }
    if let defect = validation.defect(for: type) {
      trapMisuse("the validation of attribute \(name) makes no sense: \(defect)")
    }
  }
}

/// The types of attributes.
public enum AttributeType: String, Hashable, Sendable, CaseIterable, Codable {
  case integer64
  case double
  case boolean
  case date
  case string

  /// Whether an attribute of this type can hold `value`; every type can hold `.null`.
  public func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.integer64, .integer), (.double, .double), (.boolean, .boolean), (.date, .date),
      (.string, .string):
      true
    default:
      false
    }
  }
}
