import TextTable

/// What stands in one place of a table.
package struct TerminalCell {
  let title: String
  let value: String
  let align: Alignment

  /// - Parameter title: the column's, the same in every row.
  package init(title: String, value: String, align: Alignment = .left) {
    self.title = VisibleText.line(title)
    self.value = VisibleText.line(value)
    self.align = align
  }
}

/// A table for a terminal.
///
/// One that is wider becomes several below each other, each of which begins with the first columns. A cell that is
/// wider than the terminal stays whole.
package struct TerminalTable<Row> {
  private let cells: (Row) -> [TerminalCell]
  private let keyCount: Int
  private let width: Int

  /// - Parameters:
  ///   - width: The number of columns that the terminal has.
  ///   - keyCount: The number of columns with which each of several tables begins.
  ///   - cells: those of a row, equally many in each.
  package init(
    width: Int = WrappedText.terminalWidth, keyCount: Int = 1, _ cells: @escaping (Row) -> [TerminalCell]
  ) {
    self.width = width
    self.keyCount = keyCount
    self.cells = cells
  }

  /// Every line ended; nothing without rows.
  package func text(for rows: [Row], usesColour: Bool = false) -> String {
    tables(of: rows, usesColour).map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  /// Title, rule and rows of a table that fits.
  package func lines(for rows: [Row], usesColour: Bool = false) -> [String] {
    tables(of: rows, usesColour).flatMap(\.self)
  }

  private func tables(of rows: [Row], _ usesColour: Bool) -> [[String]] {
    let style: any TextTableStyle.Type = usesColour ? ColouredStyle.self : Simple.self
    let rows = rows.map(cells)
    return groups(of: rows).map { group in
      let table = TextTable<[TerminalCell]> { row in
        group.map { Column(title: row[$0].title, value: row[$0].value, align: row[$0].align) }
      }
      let filled = rows.filter { Self.hasContent($0, in: group, keyCount: keyCount) }
      return (table.string(for: filled, style: style) ?? "").split(separator: "\n").map(Self.trimmed)
    }
  }

  /// Returns false for a line that belongs to other tables only: it is empty in these columns, but for the first ones.
  private static func hasContent(_ row: [TerminalCell], in group: [Int], keyCount: Int) -> Bool {
    func isFilled(_ column: Int) -> Bool { !row[column].value.allSatisfy(\.isWhitespace) }
    if group.dropFirst(keyCount).contains(where: isFilled) { return true }
    return group.contains(where: isFilled) && !row.indices.dropFirst(keyCount).contains(where: isFilled)
  }

  /// Without the spaces that a table pads a line with.
  private static func trimmed(_ line: Substring) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  /// The columns of each table.
  private func groups(of rows: [[TerminalCell]]) -> [[Int]] {
    guard let first = rows.first, !first.isEmpty else { return [] }
    let widths = first.indices.map { column in
      rows.reduce(first[column].title.count) { max($0, $1[column].value.count) }
    }
    let keys = Array(widths.indices.prefix(keyCount))
    var groups = [keys]
    for column in widths.indices.dropFirst(keyCount) {
      let total = groups[groups.count - 1].reduce(widths[column]) { $0 + widths[$1] + 1 }
      if total > width, groups[groups.count - 1].count > keys.count {
        groups.append(keys + [column])
      } else {
        groups[groups.count - 1].append(column)
      }
    }
    return groups
  }
}
