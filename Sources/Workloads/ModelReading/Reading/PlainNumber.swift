import Foundation

/// The texts of numbers and truth values in model files.
enum PlainNumber {
  /// Returns a finite number, or nil if the text is not one. Blanks and hexadecimal digits are not allowed.
  static func real(_ text: String) -> Double? {
    guard isPlain(text), let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// Returns a whole number, or nil if the text is not one. A fraction of zeros is allowed, as in `0.0`.
  static func integer(_ text: String) -> Int64? {
    guard isPlain(text) else { return nil }
    if let value = Int64(text) { return value }
    return Double(text).flatMap { Int64(exactly: $0) }
  }

  /// Returns a decimal number, or nil if the text is not one.
  static func decimal(_ text: String) -> Decimal? {
    guard isPlain(text), Double(text) != nil, let value = Decimal(string: text, locale: nil), !value.isNaN else {
      return nil
    }
    return value
  }

  /// Returns the value of YES, NO, true, false, 1 or 0 in letters of any case, or nil for another text.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) || ".-+eE".utf8.contains($0) }
  }
}
