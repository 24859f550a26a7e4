import Foundation

/// How strings are held against each other where it is not byte by byte: letters written in brackets behind an operator.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `[c]`: capital and small letters are the same.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1 << 0)
  /// `[d]`: letters with and without diacritics are the same.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 1 << 1)
  /// `[n]`: strings are folded already, so bytes decide; case and diacritics count whatever stands beside it.
  public static let normalized = ComparisonOptions(rawValue: 1 << 2)

  /// The same without what has no effect.
  var effective: ComparisonOptions {
    contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
  }

  /// Whether strings have to be folded before their bytes are compared.
  package var isFolding: Bool { !effective.isEmpty }
}

// MARK: - Folding

extension ComparisonOptions {
  /// The string whose bytes equal those of every string that is the same under these options.
  ///
  /// Both evaluations of predicates use it, SQL by a function that each connection has. Case folds as the small letters of
  /// the capitals ("ß" is "ss"); diacritics are the marks above and below Latin, Greek and Cyrillic letters. Does not
  /// depend on a locale. O(bytes); ASCII, the common case, allocates once at most.
  package func fold(_ text: String) -> String {
    if effective.isEmpty { return text }
    if let folded = text.utf8.withContiguousStorageIfAvailable({ foldASCII($0) }) ?? foldASCII(Array(text.utf8)) {
      return folded
    }
    return foldScalars(text)
  }

  /// Nil where a byte is not ASCII.
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
      // Marks are part of the letter in most other scripts: か with one is が.
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
  /// Whether it belongs to the letter before it.
  var isMark: Bool {
    value >= 0x0300 && properties.generalCategory == .nonspacingMark
  }
}
