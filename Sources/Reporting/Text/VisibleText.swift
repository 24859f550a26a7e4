/// Replaces the characters that a terminal or a browser obeys instead of showing them.
///
/// Names of files, YAML keys and columns may contain any character, and so may the values of flags. Each such character
/// is replaced by one visible character, so that the columns of a table stay aligned.
package enum VisibleText {
  /// Returns the text in one line: each control character, line breaks included, and each character that changes the
  /// direction of text is replaced by a visible one.
  package static func line(_ text: some StringProtocol) -> String {
    guard text.unicodeScalars.contains(where: { isObeyed($0) }) else { return String(text) }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isObeyed($0) ? picture(of: $0) : $0 }))
  }

  /// Returns the text with its line breaks and tabs, but otherwise as `line(_:)` does.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - keepsColours: True if sequences that set a colour or a weight are kept as well.
  /// - Returns: The visible text.
  package static func lines(_ text: String, keepsColours: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isObeyed($0) && $0 != "\n" && $0 != "\t" }) else { return text }
    var visible = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      let length = keptLength(at: rest, keepsColours)
      if length > 0 {
        visible.append(contentsOf: rest.prefix(length))
      } else {
        visible.append(isObeyed(scalar) ? picture(of: scalar) : scalar)
      }
      rest = rest.dropFirst(max(1, length))
    }
    return String(visible)
  }

  /// Returns the number of scalars of a line break, a tab or a kept sequence at the beginning, or 0 if the text begins
  /// with another scalar.
  private static func keptLength(at rest: Substring.UnicodeScalarView, _ keepsColours: Bool) -> Int {
    switch rest.first {
    case "\n", "\t": return 1
    case "\r": return rest.dropFirst().first == "\n" ? 2 : 0
    case "\u{1b}" where keepsColours:
      guard rest.dropFirst().first == "[" else { return 0 }
      let codes = rest.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
      return rest.dropFirst(2 + codes.count).first == "m" ? codes.count + 3 : 0
    default: return 0
    }
  }

  /// Returns true for control characters, characters that break lines, and characters that change the direction of
  /// text.
  static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns Unicode's symbol for a control character of ASCII, or the replacement character.
  private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)!
    case 0x7f: "\u{2421}"
    default: "\u{fffd}"
    }
  }
}
