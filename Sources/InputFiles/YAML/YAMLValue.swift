/// A value of a YAML file that is about to be written.
package indirect enum YAMLValue: Hashable, Sendable {
  case null
  case text(String)
  case flag(Bool)
  case number(Int)
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

  /// The value in one line, in the form of JSON, which is YAML too.
  ///
  /// Two hyphens in a row are written with an escape sequence, so that the line can be part of a command line that is
  /// split at its flags.
  package var line: String {
    switch self {
    case .null: "null"
    case .text(let text): Self.quoted(text).replacing("--", with: "-\\u002d")
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .list(let items): "[\(items.map(\.line).joined(separator: ", "))]"
    case .mapping(let members):
      "{\(members.map { "\(YAMLValue.text($0.key).line): \($0.value.line)" }.joined(separator: ", "))}"
    }
  }

  /// The value in one line with as few quotes as possible, for a file that people edit.
  package var plain: String {
    switch self {
    case .null: "~"
    case .text(let text): Self.isWord(text) ? text : Self.quoted(text)
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .list(let items): "[\(items.map(\.plain).joined(separator: ", "))]"
    case .mapping(let members):
      "{\(members.map { "\(YAMLValue.text($0.key).plain): \($0.value.plain)" }.joined(separator: ", "))}"
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
