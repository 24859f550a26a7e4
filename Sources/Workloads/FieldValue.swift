/// A value of one attribute, as a record carries it and a store holds it.
///
/// Strings are equal only if their UTF-8 bytes are equal. A store compares bytes and ignores the canonical equivalence
/// of Unicode.
package enum FieldValue: Sendable {
  case null
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  /// Seconds since 2001-01-01 00:00 UTC, as Core Data stores it.
  case date(Double)
  case string(String)
}

extension FieldValue: Hashable {
  package static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    }
  }
}

// MARK: - The order of a list

extension FieldValue {
  /// Returns true if this value comes before another in a list, by SQLite's order with the BINARY collation.
  ///
  /// Absent values come first, then numbers, then strings by their UTF-8 bytes. Dates and booleans are numbers in a
  /// store.
  package func precedes(_ other: FieldValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.bytesPrecede(right)
    case (.integer(let left), .integer(let right)): left < right
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.string, _): false
    case (_, .string): true
    default: number < other.number
    }
  }

  /// The value as a number, or NaN for an absent value or a string.
  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value), .date(let value): value
    case .boolean(let value): value ? 1 : 0
    case .null, .string: .nan
    }
  }
}

// MARK: - Strings as bytes

extension String {
  /// Returns true if both strings have the same UTF-8 bytes. The operator `==` is also true for canonically equivalent
  /// strings.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Returns true if this string comes before another by UTF-8 bytes, as in SQLite's BINARY collation.
  package func bytesPrecede(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
