/// Lines that a terminal shows as they are.
package enum TerminalLine {
  /// As wide as a terminal is at first.
  static let width = 80

  /// In lines that fit, broken behind `separator`; a piece that is wider than the terminal stays whole.
  ///
  /// - Parameters:
  ///   - separator: ends with a space.
  ///   - indent: what all lines but the first begin with.
  package static func wrapped(_ text: String, at separator: String = " ", indent: String = "") -> [String] {
    var lines: [String] = []
    let pieces = text.split(separator: separator, omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let piece = index + 1 < pieces.count ? piece + separator.dropLast() : piece
      if let last = lines.last, last.count + 1 + piece.count <= width {
        lines[lines.count - 1] = "\(last) \(piece)"
      } else {
        lines.append(lines.isEmpty ? String(piece) : indent + piece)
      }
    }
    return lines
  }

  /// Paragraphs in lines that fit, each line ended.
  static func text(_ paragraphs: [String], at separator: String = " ", indent: String = "") -> String {
    paragraphs.flatMap { wrapped($0, at: separator, indent: indent) }.map { $0 + "\n" }.joined()
  }

  /// Without the spaces that a table pads a line with.
  static func trimmed(_ line: Substring) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
