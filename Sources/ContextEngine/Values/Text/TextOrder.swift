import Foundation

/// How strings are sorted.
///
/// Each order is one of keys: strings whose keys have the same bytes are equal to it. Both sides of a fetch, SQL and the
/// placing of unsaved objects, sort by the same keys. None depends on the user's locale, so that lists are the same
/// everywhere.
public enum TextOrder: Int32, Hashable, Sendable, CaseIterable {
  /// By their UTF-8 bytes, as SQLite compares; an index can serve it.
  case literal
  /// Capital and small letters are the same (`caseInsensitiveCompare:`).
  case caseInsensitive
  /// As a dictionary has words: letters first, then their diacritics, then small before capital (`localizedCompare:`).
  case localized
  /// The same without regard to case (`localizedCaseInsensitiveCompare:`).
  case localizedCaseInsensitive
  /// As `localized`, and numbers in the text by their size: "a2" before "a10" (`localizedStandardCompare:`).
  case localizedStandard

  /// What the bytes of strings are compared by. O(bytes).
  package func key(of text: String) -> [UInt8] {
    switch self {
    case .literal: return Array(text.utf8)
    case .caseInsensitive: return Array(ComparisonOptions.caseInsensitive.fold(text).utf8)
    case .localized, .localizedCaseInsensitive, .localizedStandard: break
    }
    let letters = Array(ComparisonOptions([.caseInsensitive, .diacriticInsensitive]).fold(text).utf8)
    var key = self == .localizedStandard ? Self.withNumbersBySize(letters) : letters
    // What stands before a shorter one is a level that ended.
    key.append(0)
    key += ComparisonOptions.caseInsensitive.fold(text).utf8
    guard self != .localizedCaseInsensitive else { return key }
    key.append(0)
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      key.append(scalar.properties.isUppercase ? 2 : 1)
    }
    return key
  }

  /// The bytes with a length before each run of digits, zeros at its front left out: longer numbers are larger.
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
      // “0” keeps numbers where digits stand among other characters; a number of 255 digits or more is cut to that.
      key.append(0x30)
      key.append(UInt8(min(digits.count, 255)))
      key += digits.prefix(255)
      index = end
    }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Negative, zero or positive as `left` sorts before, with or after `right`; strings by the order, others as ever.
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
