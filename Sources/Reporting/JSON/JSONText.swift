import Foundation

/// Converts values to JSON for standard output: indented, with members in alphabetical order and a line break at the
/// end.
///
/// The name of a member is that of its property in lower case, with underscores between words and short units:
/// `mainBusyNanoseconds` becomes `main_busy_ns`, and `isKept` becomes `kept`. A type that needs another name declares
/// coding keys. Keys of dictionaries stay as they are.
package enum JSONText {
  /// Returns a value as JSON.
  ///
  /// - Throws: `EncodingError`.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .custom { path in MemberName(ofProperty: path[path.count - 1].stringValue) }
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// The name of a member of a JSON object.
  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    /// Creates the name of the member for a property.
    init(ofProperty name: String) {
      var name = name
      if name.hasPrefix("is"), let third = name.dropFirst(2).first, third.isUppercase {
        name = third.lowercased() + name.dropFirst(3)
      }
      for (word, short) in [("Nanoseconds", "Ns"), ("Milliseconds", "Ms"), ("PartsPerMillion", "Ppm"), ("CPU", "Cpu")] {
        name = name.replacing(word, with: short)
      }
      stringValue = name.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
    }
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
