import ContextEngine
import Workloads

extension EngineModel {
  static func description(
    of attribute: ModelDocument.Attribute, _ entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) throws(ModelError) -> AttributeDescription {
    let type = try type(of: attribute, entity, notes)
    if attribute.isDerived, attribute.derivationExpression == nil {
      throw notes.unsupported(
        "the attribute is derived, but has no expression; give it a derivationExpression", line: attribute.line,
        entity.name, attribute.name)
    }
    return AttributeDescription(
      attribute.name, type,
      // The app's classes set transient attributes, and they do not run here.
      isOptional: attribute.isOptional || attribute.isTransient,
      isIndexed: attribute.isIndexed && !attribute.isTransient,
      defaultValue: attribute.defaultValue.map { value($0) } ?? .null, isTransient: attribute.isTransient,
      derivationExpression: attribute.isDerived ? attribute.derivationExpression : nil,
      allowsExternalBinaryDataStorage: attribute.allowsExternalStorage,
      preservesValueInHistoryOnDeletion: attribute.preservesValueAfterDeletion,
      renamingIdentifier: attribute.renamingIdentifier, validation: try validation(of: attribute, entity, notes),
      valueTransformer: type == .transformable
        ? BytesTransformer(name: attribute.valueTransformerName ?? defaultTransformerName) : nil)
  }

  /// The name of the transformer that Core Data uses if a model does not name one.
  private static let defaultTransformerName = "NSSecureUnarchiveFromData"

  private static func type(
    of attribute: ModelDocument.Attribute, _ entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) throws(ModelError) -> AttributeType {
    switch attribute.type {
    case .value(let type): return AttributeType(type)
    // A transient attribute has no column, so that its values may be of any type.
    case .undefined where attribute.isTransient, .objectID where attribute.isTransient: return .transformable
    case .undefined, .objectID:
      throw notes.unsupported(
        "a stored attribute cannot be of the type \(attribute.type.rawValue); give it another type or make it transient",
        line: attribute.line, entity.name, attribute.name)
    case .composite:
      throw notes.unsupported(
        "the engine has no composite attributes; use an attribute for each part", line: attribute.line, entity.name,
        attribute.name)
    }
  }

  private static func value(_ value: ModelDocument.Value) -> Value {
    switch value {
    case .integer(let value): .integer(value)
    case .real(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .boolean(let value): .boolean(value)
    case .date(let value): .date(value)
    case .string(let value): .string(value)
    case .uuid(let value): .uuid(value)
    case .uri(let value): .uri(value)
    }
  }

  private static func validation(
    of attribute: ModelDocument.Attribute, _ entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) throws(ModelError) -> ValidationRules {
    var rules = ValidationRules(
      minimum: attribute.minimum.map(value), maximum: attribute.maximum.map(value),
      minimumLength: attribute.minimumLength, maximumLength: attribute.maximumLength,
      pattern: attribute.regularExpression)
    guard let range = attribute.type.valueType?.integerRange else { return rules }
    // A bound beyond the range of the type allows either every value or no value.
    if case .integer(let minimum) = attribute.minimum {
      if minimum <= range.lowerBound { rules.minimum = nil }
      if minimum > range.upperBound { throw emptyRange("minimum \(minimum)", attribute, entity, notes) }
    }
    if case .integer(let maximum) = attribute.maximum {
      if maximum >= range.upperBound { rules.maximum = nil }
      if maximum < range.lowerBound { throw emptyRange("maximum \(maximum)", attribute, entity, notes) }
    }
    return rules
  }

  private static func emptyRange(
    _ bound: String, _ attribute: ModelDocument.Attribute, _ entity: ModelDocument.Entity, _ notes: EngineModelNotes
  ) -> ModelError {
    notes.unsupported(
      "no value of the type \(attribute.type.rawValue) satisfies the \(bound); use another bound",
      line: attribute.line, entity.name, attribute.name)
  }
}

extension AttributeType {
  /// Creates the engine's type for the one of a model.
  fileprivate init(_ type: ValueType) {
    switch type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64: self = .integer64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: self = .transformable
    }
  }
}
