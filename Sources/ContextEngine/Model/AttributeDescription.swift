import MachineCore

/// An attribute of an entity, as a model declares it.
public struct AttributeDescription: Hashable, Sendable {
  /// The name of the attribute, which must be unique among the properties of its entity.
  public let name: String
  /// The type of the attribute's values.
  public let type: AttributeType
  /// True if the attribute may be saved without a value; a save of a mandatory attribute without a value fails with
  /// 1570.
  public let isOptional: Bool
  /// True if a store keeps an index over the attribute, so that a look-up by its value does not read the whole table.
  public let isIndexed: Bool
  /// The value of the attribute in a new object; `.null` if it has no value.
  public let defaultValue: Value
  /// The rules that the attribute's values must satisfy when they are saved.
  public let validation: ValidationRules
  /// True if the attribute is kept in memory only: stores have no column for it.
  public let isTransient: Bool
  /// The expression from which the attribute is computed at each save, or nil if the attribute is set.
  ///
  /// The expression is a key path over to-one relationships (`author.name`), `canonical:(name)`, `uppercase:(name)`,
  /// `lowercase:(name)`, `books.@count`, `books.price.@sum` or `now()`.
  public let derivationExpression: String?
  /// True if a store may keep large values of a binary or transformable attribute in separate files next to its own
  /// file.
  public let allowsExternalBinaryDataStorage: Bool
  /// True if a store's history keeps the value that a deleted object had.
  public let preservesValueInHistoryOnDeletion: Bool
  /// The name that the attribute had in the previous version of the model.
  public let renamingIdentifier: String
  private let namedTransformer: NamedTransformer?

  /// True if a store records for each value whether it is in a separate file.
  package var mayBeExternal: Bool {
    allowsExternalBinaryDataStorage && !isTransient && (type == .binary || type == .transformable)
  }

  /// The transformer that converts the values of a transformable attribute to bytes, or nil if the attribute has
  /// another type.
  public var valueTransformer: (any ValueTransformer)? { namedTransformer?.transformer }

  /// Two transformers of one name are equal, because the files of models contain names only.
  private struct NamedTransformer: Hashable, Sendable {
    let transformer: any ValueTransformer

    static func == (left: NamedTransformer, right: NamedTransformer) -> Bool {
      left.transformer.name == right.transformer.name
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(transformer.name)
    }
  }

  /// Creates an attribute.
  ///
  /// Traps if the default value is not of the type or its transformer cannot convert it to bytes, if a transformable
  /// attribute has no transformer or another attribute has one, or if the validation rules do not fit the type.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isIndexed: Bool = false,
    defaultValue: Value = .null, isTransient: Bool = false, derivationExpression: String? = nil,
    allowsExternalBinaryDataStorage: Bool = false, preservesValueInHistoryOnDeletion: Bool = false,
    renamingIdentifier: String? = nil,
    validation: ValidationRules = .none, valueTransformer: (any ValueTransformer)? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
    self.defaultValue = defaultValue
    guard (type == .transformable) == (valueTransformer != nil) else {
      trapMisuse("attribute \(name) is of type \(type): transformable attributes have a transformer, others have none")
    }
    self.validation = validation
    self.isTransient = isTransient
    self.derivationExpression = derivationExpression
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.renamingIdentifier = renamingIdentifier ?? name
    namedTransformer = valueTransformer.map(NamedTransformer.init)
    guard type.admits(defaultValue) else {
      trapMisuse("attribute \(name) is of type \(type), but its default value \(defaultValue) is not")
    }
    if case .transformable = stored(defaultValue) {
      trapMisuse("the transformer of attribute \(name) cannot convert its default value \(defaultValue) to bytes")
    }
    if let defect = validation.defect(for: type) {
      trapMisuse("the validation of attribute \(name) is contradictory: \(defect)")
    }
  }
}

// MARK: - Stored values

extension AttributeDescription {
  /// Returns the value as a row holds it: the nearest `Float` for a float, the bytes for a transformable value, the
  /// absolute URL for a URI.
  ///
  /// The value must be one that the type admits. If the transformer cannot convert it to bytes, the value is returned
  /// as it is, and a save refuses it.
  package func stored(_ value: Value) -> Value {
    switch (type, value) {
    case (.float, .double(let number)): return .double(Double(Float(number)))
    case (.uri, .uri(let uri)): return .uri(uri.absoluteURL)
    case (.transformable, .transformable(let transformable)):
      return valueTransformer?.transformedValue(transformable.base).map(Value.binary) ?? value
    default: return value
    }
  }

  /// Returns the value that an object shows for the value in its row.
  package func shown(_ stored: Value) -> Value {
    guard type == .transformable, case .binary(let data) = stored else { return stored }
    guard let base = valueTransformer?.reverseTransformedValue(data) else { return .null }
    return .transformable(TransformableValue(base))
  }
}
