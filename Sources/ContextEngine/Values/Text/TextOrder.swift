import Foundation

/// The orders in which strings are sorted.
///
/// Each order compares keys: strings whose keys have the same bytes are equal. Both parts of a fetch, the SQL and the
/// insertion of unsaved objects, sort by the same keys. The keys do not depend on the user's locale, so that lists are
/// the same everywhere.
public enum TextOrder: Int32, Hashable, Sendable, CaseIterable {
  /// Strings are sorted by their UTF-8 bytes, as in SQLite; an index can serve this order.
  case literal
  /// Uppercase and lowercase letters are the same (`caseInsensitiveCompare:`).
  case caseInsensitive
  /// Strings are sorted as in a dictionary: by letters, then by their diacritics, then lowercase before uppercase
  /// (`localizedCompare:`).
  case localized
  /// Strings are sorted as by `localized`, without regard to case (`localizedCaseInsensitiveCompare:`).
  case localizedCaseInsensitive
  /// Strings are sorted as by `localized`, with numbers in the text sorted by size: "a2" before "a10"
  /// (`localizedStandardCompare:`).
  case localizedStandard

  /// Returns the key whose bytes are compared to sort a string. O(bytes).
  package func key(of text: String) -> [UInt8] {
    switch self {
    case .literal: return Array(text.utf8)
    case .caseInsensitive: return Array(ComparisonOptions.caseInsensitive.fold(text).utf8)
    case .localized, .localizedCaseInsensitive, .localizedStandard: break
    }
    let letters = Array(ComparisonOptions([.caseInsensitive, .diacriticInsensitive]).fold(text).utf8)
    var key = self == .localizedStandard ? Self.withNumbersBySize(letters) : letters
    // A zero ends each level, so that a shorter text sorts before one that begins with it.
    key.append(0)
    key += ComparisonOptions.caseInsensitive.fold(text).utf8
    guard self != .localizedCaseInsensitive else { return key }
    key.append(0)
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      key.append(scalar.properties.isUppercase ? 2 : 1)
    }
    return key
  }

  /// Returns the bytes with each run of digits replaced by its length and the digits without leading zeros, so that
  /// longer numbers are larger.
  private static func withNumbersBySize(_ bytes: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count + 4)
    var index = 0
    while index < bytes.count {
      guard isDigit(bytes[index]) else {
        key.append(bytes[index])
        index += 1
        continue
      }
      let end = bytes[index...].firstIndex { !isDigit($0) } ?? bytes.count
      let digits = bytes[index..<end].drop { $0 == 0x30 }
      // A “0” keeps numbers at the position that digits have among other characters. A number of more than 255 digits
      // is cut off there.
      key.append(0x30)
      key.append(UInt8(min(digits.count, 255)))
      key += digits.prefix(255)
      index = end
    }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Returns a negative number, zero or a positive number if `left` sorts before, with or after `right`. Strings are
  /// compared by this order, other values by `Value.compare(_:_:)`.
  package func compare(_ left: Value, _ right: Value) -> Int {
    guard self != .literal, case .string(let left) = left, case .string(let right) = right else {
      return Value.compare(left, right)
    }
    let leftKey = key(of: left)
    let rightKey = key(of: right)
    if leftKey == rightKey { return 0 }
    return leftKey.lexicographicallyPrecedes(rightKey) ? -1 : 1
  }
}
