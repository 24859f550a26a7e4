import Foundation

extension ModelDocument {
  /// An attribute of an entity.
  package struct Attribute: Hashable, Sendable, Codable {
    package var name: String
    package var type: AttributeType
    package var isOptional = false
    package var isTransient = false
    package var isDerived = false
    /// The expression from which a derived attribute is computed.
    package var derivationExpression: String?
    package var defaultValue: Value?
    /// The least number or date, or nil without a lower bound.
    package var minimum: Value?
    /// The greatest number or date, or nil without an upper bound.
    package var maximum: Value?
    /// The least length of a string, or nil without a lower bound.
    package var minimumLength: Int?
    /// The greatest length of a string, or nil without an upper bound.
    package var maximumLength: Int?
    /// The regular expression that a string must match.
    package var regularExpression: String?
    package var allowsExternalStorage = false
    package var preservesValueAfterDeletion = false
    package var isIndexed = false
    package var isIndexedBySpotlight = false
    package var isStoredInTruthFile = false
    package var allowsCloudEncryption = false
    package var isEphemeral = false
    package var isSyncable: Bool?
    package var usesScalarType: Bool?
    package var valueTransformerName: String?
    package var customClassName: String?
    /// The name that the attribute had in an earlier version, or nil if it was the same.
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry] = []
    package var line = 0
  }

  /// The types of attributes.
  package enum AttributeType: Hashable, Sendable, Codable, CaseIterable {
    /// A type whose values an import can set.
    case value(ValueType)
    case undefined
    case objectID
    case composite

    /// The type of the values, or nil if an import cannot set them.
    package var valueType: ValueType? { if case .value(let type) = self { type } else { nil } }

    package static let allCases = [.undefined] + ValueType.allCases.map(Self.value) + [.objectID, .composite]
  }

  /// A default value or a bound of an attribute.
  package enum Value: Hashable, Sendable, Codable {
    case integer(Int64)
    /// A number of the type Double or Float.
    case real(Double)
    case decimal(Decimal)
    case boolean(Bool)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case string(String)
    case uuid(UUID)
    case uri(URL)

    /// The value of an attribute in a row.
    package var fieldValue: FieldValue {
      switch self {
      case .integer(let value): .integer(value)
      case .real(let value): .double(value)
      case .decimal(let value): .decimal(value)
      case .boolean(let value): .boolean(value)
      case .date(let value): .date(value)
      case .string(let value): .string(value)
      case .uuid(let value): .uuid(value)
      case .uri(let value): .uri(value.absoluteString)
      }
    }
  }
}

extension ModelDocument.AttributeType: RawRepresentable {
  /// The name of the type in the model's file.
  package var rawValue: String {
    switch self {
    case .value(let type): type.rawValue
    case .undefined: "Undefined"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }

  package init?(rawValue: String) {
    guard let type = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = type
  }
}

/// The types of values that an import can set. The raw values are the names in a model's file.
package enum ValueType: String, Hashable, Sendable, Codable, CaseIterable {
  case integer16 = "Integer 16"
  case integer32 = "Integer 32"
  case integer64 = "Integer 64"
  case decimal = "Decimal"
  case double = "Double"
  case float = "Float"
  case string = "String"
  case boolean = "Boolean"
  case date = "Date"
  case binary = "Binary"
  case uuid = "UUID"
  case uri = "URI"
  case transformable = "Transformable"

  package var isInteger: Bool { integerRange != nil }

  /// The range of a type of whole numbers, or nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}
