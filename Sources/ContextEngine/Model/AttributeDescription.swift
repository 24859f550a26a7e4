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
  /// What the attribute is computed from at each save; nil = it is set.
  ///
  /// A key path over to-one relationships (`author.name`), `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`,
  /// `books.@count`, `books.price.@sum` or `now()`.
  public let derivationExpression: String?
  /// Whether a store may keep large values of a binary or transformable attribute in files of their own beside its own.
  public let allowsExternalBinaryDataStorage: Bool
  /// Whether a store's history keeps the value that a deleted object had.
  public let preservesValueInHistoryOnDeletion: Bool
  /// The name that the attribute had in the version of the model before.
  public let renamingIdentifier: String
  private let namedTransformer: NamedTransformer?

  /// Whether a store says of each value whether it lies in a file of its own.
  package var mayBeExternal: Bool {
    allowsExternalBinaryDataStorage && !isTransient && (type == .binary || type == .transformable)
  }

  /// What makes bytes of the values of a transformable attribute; nil for those of other types.
  public var valueTransformer: (any ValueTransformer)? { namedTransformer?.transformer }

  /// Transformers of one name are the same: a model is written down by names.
  private struct NamedTransformer: Hashable, Sendable {
    let transformer: any ValueTransformer

    static func == (left: NamedTransformer, right: NamedTransformer) -> Bool {
      left.transformer.name == right.transformer.name
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(transformer.name)
    }
  }

  /// Traps where the default value is not of the type, or a transformable attribute and no other lacks a transformer.
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
      trapMisuse("attribute \(name) is of type \(type), its default value \(defaultValue) is not")
    }
    if case .transformable = stored(defaultValue) {
      trapMisuse("the transformer of attribute \(name) can make no bytes of its default value \(defaultValue)")
    }
    if let defect = validation.defect(for: type) {
      trapMisuse("the validation of attribute \(name) makes no sense: \(defect)")
    }
  }
}

// MARK: - What rows hold

extension AttributeDescription {
  /// The value as a row holds it: of a float the nearest `Float`, of a transformable the bytes, of a URI the whole one.
  ///
  /// The value must be one that the type admits. Where the transformer can make no bytes of it, it stays as it is, and a save
  /// refuses it.
  package func stored(_ value: Value) -> Value {
    switch (type, value) {
    case (.float, .double(let number)): return .double(Double(Float(number)))
    case (.uri, .uri(let uri)): return .uri(uri.absoluteURL)
    case (.transformable, .transformable(let transformable)):
      return valueTransformer?.transformedValue(transformable.base).map(Value.binary) ?? value
    default: return value
    }
  }

  /// The value that an object shows for what its row holds.
  package func shown(_ stored: Value) -> Value {
    guard type == .transformable, case .binary(let data) = stored else { return stored }
    guard let base = valueTransformer?.reverseTransformedValue(data) else { return .null }
    return .transformable(TransformableValue(base))
  }
}
