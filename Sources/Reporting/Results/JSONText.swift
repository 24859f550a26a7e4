import Foundation

/// Converts values to JSON for standard output: indented, with members in alphabetical order and a line break at the
/// end.
package enum JSONText {
  /// Returns a value as JSON.
  ///
  /// - Throws: `EncodingError`.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// Returns equal JSON text, in whose strings the characters that a terminal would obey are escaped.
  private static func escaped(_ text: String) -> String {
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && VisibleText.isObeyed(scalar) }
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.map { scalar in
      isEscaped(scalar) ? String(format: "\\u%04x", scalar.value) : String(scalar)
    }.joined()
  }
}
