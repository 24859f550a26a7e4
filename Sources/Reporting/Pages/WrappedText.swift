/// Breaks sentences into lines.
package enum WrappedText {
  /// The width of a terminal by default.
  package static let terminalWidth = 80

  /// Breaks a text into lines.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The largest number of columns of a line. A piece that is longer gets a separate line.
  ///   - indent: The number of spaces before the first line.
  ///   - hanging: The number of spaces before the other lines.
  ///   - separator: The text at whose occurrences lines may break. It ends with a space.
  /// - Returns: The lines.
  package static func lines(
    _ text: String, width: Int = terminalWidth, indent: Int = 0, hanging: Int = 0, at separator: String = " "
  ) -> [String] {
    lines(text, width: width, first: spaces(indent), others: spaces(hanging), at: separator)
  }

  /// Breaks a text into lines behind a prefix.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The largest number of columns of a line.
  ///   - prefix: The beginning of the first line. The other lines are indented by its length.
  /// - Returns: The lines.
  package static func lines(_ text: String, width: Int = terminalWidth, prefix: String) -> [String] {
    lines(text, width: width, first: prefix, others: spaces(prefix.count), at: " ")
  }

  private static func lines(
    _ text: String, width: Int, first: String, others: String, at separator: String
  ) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    let pieces = text.split(separator: separator)
    for (index, piece) in pieces.enumerated() {
      let piece = index + 1 < pieces.count ? piece + separator.dropLast() : piece
      if !isEmpty, line.count + 1 + piece.count > width {
        lines.append(line)
        (line, isEmpty) = (others, true)
      }
      line += (isEmpty ? "" : " ") + piece
      isEmpty = false
    }
    return lines + [line]
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
