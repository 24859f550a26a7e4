import Foundation

/// Values as JSON for standard output: indented, members in alphabetical order, a line break at the end.
package enum JSONText {
  /// - Throws: `EncodingError`.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
