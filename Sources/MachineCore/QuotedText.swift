/// Text that a message quotes, such as a value from a file or from the command line.
package enum QuotedText {
  /// The maximum number of characters that are quoted from a text.
  package static let length = 60

  /// Returns the text as a message quotes it: unchanged, or if it is longer, its beginning and an ellipsis.
  package static func of(_ text: some StringProtocol, length: Int = QuotedText.length) -> String {
    // The index is nil if the text is shorter; counting all characters of a long text would take longer.
    guard let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex), end < text.endIndex else {
      return String(text)
    }
    return "\(text[..<end])…"
  }
}
