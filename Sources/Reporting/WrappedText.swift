/// Breaks sentences into lines at spaces.
package enum WrappedText {
  /// - Parameters:
  ///   - width: How many columns a line may have; a word that is longer has a line of its own.
  ///   - indent: Of the first line.
  ///   - hanging: Of the others.
  package static func lines(_ text: String, width: Int, indent: Int = 0, hanging: Int = 0) -> [String] {
    lines(text, width: width, first: spaces(indent), others: spaces(hanging))
  }

  /// - Parameter prefix: What the first line begins with; the others begin below its end.
  package static func lines(_ text: String, width: Int, prefix: String) -> [String] {
    lines(text, width: width, first: prefix, others: spaces(prefix.count))
  }

  private static func lines(_ text: String, width: Int, first: String, others: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isEmpty) = (others, true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }

  /// A sentence out of half a one.
  package static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
