import Foundation

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
  case decimal(Decimal)
  /// The bytes of a binary or transformable attribute.
  case binary(Data)
  case uuid(UUID)
  /// The text of an absolute URI.
  case uri(String)
}

// The comparison is not inlined: collections of values would otherwise each have a copy of it.
extension FieldValue: Hashable {
  @inline(never)
  package static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.decimal(let left), .decimal(let right)): left == right
    case (.binary(let left), .binary(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  @inline(never)
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .string(let value), .uri(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .binary(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    }
  }
}

// MARK: - The order of a list

extension FieldValue {
  /// Returns true if this value comes before another in a list, by SQLite's order with the BINARY collation.
  ///
  /// Absent values come first, then numbers, then strings by their UTF-8 bytes, then bytes. Dates and booleans are
  /// numbers in a store, URIs are strings, and UUIDs are bytes.
  package func precedes(_ other: FieldValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)): left.bytesPrecede(right)
    case (.decimal(let left), .decimal(let right)): left < right
    case (.binary(let left), .binary(let right)): left.lexicographicallyPrecedes(right)
    case (.uuid(let left), .uuid(let right)): left.bytes.lexicographicallyPrecedes(right.bytes)
    default: rank != other.rank ? rank < other.rank : number < other.number
    }
  }

  /// The rank of the value's storage class in SQLite's order.
  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .double, .boolean, .date, .decimal: 1
    case .string, .uri: 2
    case .binary, .uuid: 3
    }
  }

  /// The value as a number, or NaN for a value that is not a number.
  private var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value), .date(let value): value
    case .boolean(let value): value ? 1 : 0
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    case .null, .string, .binary, .uuid, .uri: .nan
    }
  }
}

extension UUID {
  /// The sixteen bytes of the UUID, as a store keeps them.
  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

// MARK: - Strings as bytes

extension String {
  /// Returns true if both strings have the same UTF-8 bytes. The operator `==` is also true for canonically equivalent
  /// strings.
  @inline(never)
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns true if this string comes before another by UTF-8 bytes, as in SQLite's BINARY collation.
  @inline(never)
  package func bytesPrecede(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

// MARK: - In messages

extension FieldValue {
  /// The value as text for a sentence: null is `absent`, and a date is a number of seconds after 2001.
  package var text: String {
    switch self {
    case .null: "absent"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .date(let value): "\(value) s after 2001"
    case .string(let value), .uri(let value): JSONBuilder.quoted(value)
    case .decimal(let value): "\(value)"
    case .binary(let value):
      value.count <= 16
        ? "0x" + value.map { String(format: "%02x", $0) }.joined()
        : "\(value.count) bytes beginning with 0x"
          + value.prefix(8).map { String(format: "%02x", $0) }.joined()
    case .uuid(let value): value.uuidString
    }
  }
}
