/// The types of attributes.
public enum AttributeType: String, Hashable, Sendable, CaseIterable, Codable {
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case boolean
  case date
  case string
  case binary
  case uuid
  case uri
  /// Any value, stored as the bytes that the attribute's `ValueTransformer` creates from it.
  case transformable

  /// Returns true if an attribute of this type can hold `value`; every type can hold `.null`.
  public func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (_, .null), (.integer64, .integer), (.decimal, .decimal), (.double, .double), (.float, .double),
      (.boolean, .boolean), (.date, .date), (.string, .string), (.binary, .binary), (.uuid, .uuid), (.uri, .uri),
      (.transformable, .transformable):
      true
    default:
      false
    }
  }

  /// True if rows may hold other values than the ones that objects show or that were set.
  var isConverted: Bool {
    switch self {
    case .float, .uri, .transformable: true
    default: false
    }
  }

  package var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

  /// True if the values of the type can have any number of bytes.
  var isLong: Bool {
    switch self {
    case .string, .binary, .uri, .transformable: true
    default: false
    }
  }
}
