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
  /// What makes bytes of the values of a transformable attribute; nil for those of other types.
  public let valueTransformer: (any ValueTransformer)?

  /// Traps where the default value is not of the type, or a transformable attribute and no other lacks a transformer.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isIndexed: Bool = false,
    defaultValue: Value = .null, valueTransformer: (any ValueTransformer)? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    self.valueTransformer = valueTransformer
    guard (type == .transformable) == (valueTransformer != nil) else {
      trapMisuse("attribute \(name) is of type \(type): transformable attributes have a transformer, others have none")
    }
    guard type.admits(defaultValue) else {
      trapMisuse("attribute \(name) is of type \(type), its default value \(defaultValue) is not")
    }
  }

  /// Attributes are equal that a model file would write alike: of a transformer, its name counts.
  public static func == (left: AttributeDescription, right: AttributeDescription) -> Bool {
    left.name == right.name && left.type == right.type && left.isOptional == right.isOptional
      && left.isIndexed == right.isIndexed && left.defaultValue == right.defaultValue
      && left.valueTransformer?.name == right.valueTransformer?.name
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(type)
  }
}

// MARK: - What rows hold

extension AttributeDescription {
  /// The value as a row holds it: of a float the nearest `Float`, of a transformable the bytes, of a URI the whole one.
  ///
  /// The value must be one that the type admits. Traps where the transformer is not made for it.
  package func stored(_ value: Value) -> Value {
    switch (type, value) {
    case (.float, .double(let number)): return .double(Double(Float(number)))
    case (.uri, .uri(let uri)): return .uri(uri.absoluteURL)
    case (.transformable, .transformable(let transformable)):
      guard let data = valueTransformer?.transformedValue(transformable.base) else {
        trapMisuse("the transformer of attribute \(name) cannot make bytes of \(transformable)")
      }
      return .binary(data)
    default: return value
    }
  }

  /// The value that an object shows for what its row holds.
  package func shown(_ stored: Value) -> Value {
    guard type == .transformable, case .binary(let data) = stored,
      let base = valueTransformer?.reverseTransformedValue(data)
    else { return type == .transformable ? .null : stored }
    return .transformable(TransformableValue(base))
  }
}
