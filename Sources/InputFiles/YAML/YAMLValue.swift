/// A value of a YAML file that is about to be written.
package indirect enum YAMLValue: Hashable, Sendable {
  case null
  case text(String)
  /// A text that is written without quotes, such as a number.
  case word(String)
  case list([YAMLValue])
  case mapping([Member])

  /// A key of a mapping and its value.
  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: YAMLValue

    /// Creates a member.
    package init(key: String, value: YAMLValue) {
      self.key = key
      self.value = value
    }
  }

  package static func flag(_ flag: Bool) -> YAMLValue { .word("\(flag)") }
  package static func number(_ number: Int) -> YAMLValue { .word("\(number)") }

  /// The value in one line, in the form of JSON, which is YAML too.
  ///
  /// Two hyphens in a row are written with an escape sequence, so that the line can be part of a command line that is
  /// split at its flags.
  package var line: String { line(null: "null") { Self.quoted($0).replacing("--", with: "-\\u002d") } }

  /// The value in one line with as few quotes as possible, for a file that people edit.
  package var plain: String { line(null: "~") { Self.isWord($0) ? $0 : Self.quoted($0) } }

  /// The value in one line, with quotes around all texts but keys.
  var quotedLine: String { line(null: "~", key: { $0 }, Self.quoted) }

  /// Returns the value in one line. `text` returns the form of a text, and `key` the one of a key, if it differs.
  private func line(null: String, key: ((String) -> String)? = nil, _ text: (String) -> String) -> String {
    switch self {
    case .null: null
    case .text(let value): text(value)
    case .word(let word): word
    case .list(let items): "[\(items.map { $0.line(null: null, key: key, text) }.joined(separator: ", "))]"
    case .mapping(let members):
      "{"
        + members.map { "\(key?($0.key) ?? text($0.key)): \($0.value.line(null: null, key: key, text))" }
        .joined(separator: ", ") + "}"
    }
  }

  /// Returns the lines of a mapping, one below the other. Those of inner mappings are indented by two spaces.
  static func lines(of members: [Member], indent: String = "") -> [String] {
    members.flatMap { member in
      guard case .mapping(let inner) = member.value, !inner.isEmpty else {
        return ["\(indent)\(member.key): \(member.value.quotedLine)"]
      }
      return ["\(indent)\(member.key):"] + lines(of: inner, indent: indent + "  ")
    }
  }
}

// MARK: - Text

extension YAMLValue {
  /// Words that some readers of YAML take for a value other than a text.
  private static let reservedWords: Set = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

  /// Returns true for a text that needs no quotes: a letter, followed by letters, digits, hyphens, points and
  /// underscores.
  private static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), !reservedWords.contains(text.lowercased()) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || "-._".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  /// Returns a text in double quotes. Quotes, backslashes and invisible characters are escaped as in JSON.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case let scalar where isInvisible(scalar) && scalar.value < 0x10000: "\\u" + hexadecimal(scalar.value)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
