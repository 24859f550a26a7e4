/// Breaks sentences into lines.
package enum WrappedText {
  /// As wide as a terminal is at first.
  package static let terminalWidth = 80

  /// - Parameters:
  ///   - width: How many columns a line may have; a piece that is longer has a line of its own.
  ///   - indent: Of the first line.
  ///   - hanging: Of the others.
  ///   - separator: Behind what lines break; ends with a space.
  package static func lines(
    _ text: String, width: Int = terminalWidth, indent: Int = 0, hanging: Int = 0, at separator: String = " "
  ) -> [String] {
    lines(text, width: width, first: spaces(indent), others: spaces(hanging), at: separator)
  }

  /// - Parameter prefix: What the first line begins with; the others begin below its end.
  package static func lines(_ text: String, width: Int = terminalWidth, prefix: String) -> [String] {
    lines(text, width: width, first: prefix, others: spaces(prefix.count), at: " ")
  }

  /// Returns paragraphs for a terminal, each line ended.
  static func text(
    _ paragraphs: [String], width: Int = terminalWidth, hanging: Int = 0, at separator: String = " "
  ) -> String {
    paragraphs.flatMap { lines($0, width: width, hanging: hanging, at: separator) }.map { $0 + "\n" }.joined()
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
