/// The remote key of a row: its name in the feed, which differs from the store's row number.
///
/// Keys are compared by their bytes, and integers come before strings, as in SQLite's order of a key column.
package enum RecordKey: Sendable {
  case integer(Int64)
  case string(String)

  /// The key as the value of its attribute.
  package var fieldValue: FieldValue {
    switch self {
    case .integer(let value): .integer(value)
    case .string(let value): .string(value)
    }
  }

  /// Creates the key that a key attribute's value represents, or nil if the value cannot be a key.
  package init?(_ value: FieldValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .string(let value): self = .string(value)
    case .null, .double, .boolean, .date: return nil
    }
  }
}

extension RecordKey: Hashable {
  package static func == (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    }
  }
}

extension RecordKey: Comparable {
  package static func < (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.string(let left), .string(let right)): left.bytesPrecede(right)
    case (.integer, .string): true
    case (.string, .integer): false
    }
  }
}

extension RecordKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .string(let value): value
    }
  }
}
