/// Text in HTML and XML.
package enum HTMLText {
  /// Returns the text with an entity for each character that has a meaning in HTML and XML.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      // XML allows no other control character.
      case _ where scalar.value < 32: " "
      default: String(scalar)
      }
    }.joined()
  }
}
