import Foundation

/// Values as JSON for standard output: indented, members in alphabetical order, a line break at the end.
package enum JSONText {
  /// - Throws: `EncodingError`.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// Returns JSON text that is equal and has escapes for those characters in its strings that a terminal would obey.
  private static func escaped(_ text: String) -> String {
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && VisibleText.isObeyed(scalar) }
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.map { scalar in
      isEscaped(scalar) ? String(format: "\\u%04x", scalar.value) : String(scalar)
    }.joined()
  }
}
