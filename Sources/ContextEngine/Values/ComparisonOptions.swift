import Foundation

/// The ways in which a comparison of strings ignores differences, written in brackets behind an operator. Without
/// options, strings are compared byte by byte.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int32

  /// Creates options from their bits.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `[c]`: capital and small letters are the same.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1 << 0)
  /// `[d]`: letters with and without diacritics are the same.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 1 << 1)
  /// `[n]`: strings are folded already, so their bytes decide; with it, the other options have no effect.
  public static let normalized = ComparisonOptions(rawValue: 1 << 2)

  /// The options without those that have no effect: `[c]` and `[d]` if they are set, or an empty set with `[n]`.
  /// Unknown bits are dropped.
  var effective: ComparisonOptions {
    contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
  }

  /// True if strings are folded before their bytes are compared.
  package var isFolding: Bool { !effective.isEmpty }
}

// MARK: - Folding

extension ComparisonOptions {
  /// Returns the folded form of a string: strings that are equal under these options have folded forms with the same
  /// bytes.
  ///
  /// Both evaluations of predicates use it; SQL calls it through a function that each connection has. The option `[c]`
  /// replaces each character by the lowercase of its uppercase ("ß" becomes "ss"). The option `[d]` removes the marks
  /// above and below Latin, Greek and Cyrillic letters. The result does not depend on a locale. O(bytes); ASCII, the
  /// common case, allocates once at most.
  package func fold(_ text: String) -> String {
    if effective.isEmpty { return text }
    if let folded = text.utf8.withContiguousStorageIfAvailable({ foldASCII($0) }) ?? foldASCII(Array(text.utf8)) {
      return folded
    }
    return foldScalars(text)
  }

  /// Returns the folded string, or nil if a byte is not ASCII.
  private func foldASCII(_ bytes: some Collection<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    guard contains(.caseInsensitive) else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { target in
      var index = 0
      for byte in bytes {
        target[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
        index += 1
      }
      return index
    }
  }

  private func foldScalars(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    var hasPlainBase = false
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.isMark {
        if !(contains(.diacriticInsensitive) && hasPlainBase) { folded.append(scalar) }
        continue
      }
      // Marks are part of the letter in most other scripts: か with a mark is が.
      hasPlainBase = scalar.value < 0x0510
      if contains(.caseInsensitive) {
        folded.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().unicodeScalars)
      } else {
        folded.append(scalar)
      }
    }
    return String(folded)
  }
}

extension Unicode.Scalar {
  /// True if the scalar is a mark, which belongs to the letter before it.
  var isMark: Bool {
    value >= 0x0300 && properties.generalCategory == .nonspacingMark
  }
}
