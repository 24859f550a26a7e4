import Foundation
import MachineCore

/// The value of a property of an object.
///
/// Strings are equal only if their UTF-8 bytes are, as `NSString` and SQLite compare them: `é` as one scalar and as two
/// are different values, although Swift's `String` treats them as equal.
public enum Value: Sendable {
  case null
  /// A value of an attribute of 16, 32 or 64 bits.
  case integer(Int64)
  /// A value of an attribute of type double or float. Attributes of type float keep the nearest `Float`.
  case double(Double)
  case decimal(Decimal)
  case boolean(Bool)
  /// Seconds since 2001-01-01 00:00 UTC, as Core Data stores dates.
  case date(Double)
  case string(String)
  case binary(Data)
  case uuid(UUID)
  case uri(URL)
  /// The value that the transformer of a transformable attribute creates from the bytes in a row.
  case transformable(TransformableValue)
  /// The object at the other end of a to-one relationship.
  case object(ObjectID)

  /// True if the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension Value: Hashable {
  /// Returns true if both values are of one kind and equal. Strings are equal only if their UTF-8 bytes are.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.string(let left), .string(let right)):
      left.utf8.count == right.utf8.count && compareBytes(left, right) == 0
    case (.binary(let left), .binary(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): left == right
    case (.transformable(let left), .transformable(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds the value into a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    // Strings of the same bytes are equal as Swift strings too.
    case .string(let value): hasher.combine(value)
    case .binary(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .uri(let value): hasher.combine(value)
    case .transformable(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension Value {
  /// Returns true if `left` comes before `right` in the order in which a store sorts: null first, numbers and dates by
  /// size, strings by their UTF-8 bytes (SQLite's `BINARY` collation), URIs by the bytes of their text, binary data and
  /// UUIDs by their bytes, object IDs by their own order.
  ///
  /// Both values must be values of one property: comparing different types traps.
  package static func isOrderedBefore(_ left: Value, _ right: Value) -> Bool {
    compare(left, right) < 0
  }

  /// Returns a negative number, zero or a positive number if `left` sorts before, with or after `right`.
  package static func compare(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.string(let left), .string(let right)): compareBytes(left, right)
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)): order(left, right)
    case (.decimal(let left), .decimal(let right)): order(left, right)
    case (.boolean(let left), .boolean(let right)): order(left ? 1 : 0, right ? 1 : 0)
    case (.uri(let left), .uri(let right)): compareBytes(left.absoluteString, right.absoluteString)
    case (.binary(let left), .binary(let right)):
      left.withUnsafeBytes { left in right.withUnsafeBytes { right in compareBytes(left, right) } }
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in withUnsafeBytes(of: right.uuid) { right in compareBytes(left, right) } }
    case (.object(let left), .object(let right)): order(left, right)
    default: trapMisuse("\(left) and \(right) are values of different types and have no order")
    }
  }

  private static func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
    left < right ? -1 : (right < left ? 1 : 0)
  }

  private static func compareBytes(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { left in
      right.withUTF8 { right in compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
    }
  }

  static func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = memcmp(first, second, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
