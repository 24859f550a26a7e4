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
  /// Whether the attribute is kept in memory only: no store has a column for it.
  public let isTransient: Bool
  /// What a store computes the attribute from at each save, as a key path or a function of one; nil = it is set.
  public let derivationExpression: String?
  /// Whether a store may keep large values in files of their own beside its own.
  public let allowsExternalBinaryDataStorage: Bool
  /// The name that the attribute had in the version of the model before.
  public let renamingIdentifier: String

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isIndexed: Bool = false,
    defaultValue: Value = .null, isTransient: Bool = false, derivationExpression: String? = nil,
    allowsExternalBinaryDataStorage: Bool = false, renamingIdentifier: String? = nil,
    validation: ValidationRules = .none
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.validation = validation
    self.isTransient = isTransient
    self.derivationExpression = derivationExpression
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.renamingIdentifier = renamingIdentifier ?? name
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
