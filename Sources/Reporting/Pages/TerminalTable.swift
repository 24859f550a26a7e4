import MachineCore

/// Renders a table for a terminal.
///
/// A table that is too wide becomes several, one below the other, each of which begins with the key columns. A cell
/// that is wider than the terminal stays whole, up to a length from which it ends with an ellipsis. A table with notes is
/// not split.
package struct TerminalTable: Sendable {
  private let table: PageTable
  private let usesColour: Bool
  private let width: Int

  /// The largest number of characters of a cell that are shown. Each row of a column is as wide as its longest cell.
  private static let longestCell = 400

  /// Creates the renderer of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - usesColour: True if the text contains sequences that set colours.
  ///   - width: The number of columns of the terminal.
  package init(_ table: PageTable, usesColour: Bool = false, width: Int = WrappedText.terminalWidth) {
    self.table = table
    self.usesColour = usesColour
    self.width = width
  }

  /// The lines of the tables, each with a line break, or an empty text if the table has no rows.
  package var text: String { tables.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n") }

  /// The titles, a rule and the rows.
  package var lines: [String] { tables.flatMap(\.self) }

  /// True if the table fits the terminal in one piece, without a cell in several lines.
  var isWhole: Bool { groups(of: rows(breaksParts: false)).count <= 1 }

  private var tables: [[String]] {
    let isBroken = !isWhole && table.rows.contains(where: \.hasParts)
    let rows = rows(breaksParts: isBroken)
    return groups(of: rows).map { lines(of: rows, in: $0) }
  }
}

extension PageTable.Row {
  fileprivate var hasParts: Bool {
    guard case .cells(let cells) = self else { return false }
    return cells.contains { $0.parts.count > 1 }
  }
}

// MARK: - Rows

extension TerminalTable {
  /// A row of text, and the lines below it.
  private struct Row {
    var values: [String]
    var tones: [Page.Tone?]
    var bests: [Bool]
    var notes: [String] = []
  }

  private func rows(breaksParts: Bool) -> [Row] {
    var rows: [Row] = []
    var indent = ""
    for row in table.rows {
      switch row {
      case .title(let title):
        rows.append(titleRow(title))
        indent = "  "
      case .note(let note):
        guard !rows.isEmpty else { continue }
        rows[rows.count - 1].notes += WrappedText.lines(note, indent: 2, hanging: 4, at: ", ")
      case .cells(let cells):
        let count = breaksParts ? cells.map(\.parts.count).max() ?? 1 : 1
        for part in 0..<count {
          var values = zip(table.columns, cells).map { column, cell in
            let text = count == 1 ? cell.text : cell.parts.indices.contains(part) ? cell.parts[part] : ""
            return visible(text) + mark(cell, in: column, text: text)
          }
          if !values.isEmpty { values[0] = indent + values[0] }
          rows.append(Row(values: values, tones: cells.map(\.tone), bests: cells.map(\.isBest)))
        }
      }
    }
    return rows
  }

  private func visible(_ text: String) -> String {
    VisibleText.line(QuotedText.of(text, length: Self.longestCell))
  }

  private func titleRow(_ title: String) -> Row {
    let others = table.columns.count - 1
    return Row(
      values: [visible(title)] + [String](repeating: "", count: others),
      tones: [Page.Tone?](repeating: nil, count: others + 1), bests: [Bool](repeating: false, count: others + 1))
  }

  /// Returns an asterisk for the best value of a column, and a space for the others so that digits stay aligned.
  private func mark(_ cell: PageTable.Cell, in column: PageTable.Column, text: String) -> String {
    guard column.marksBest, !text.isEmpty else { return "" }
    return cell.isBest ? "*" : " "
  }
}

// MARK: - Lines

extension TerminalTable {
  private func lines(of rows: [Row], in group: [Int]) -> [String] {
    let filled = rows.filter { hasContent($0, in: group) }
    guard !filled.isEmpty else { return [] }
    let titles = group.map { visible(table.columns[$0].title) }
    let widths = zip(group, titles).map { index, title in
      filled.reduce(title.count) { max($0, $1.values[index].count) }
    }
    let columns = Array(zip(group, widths))
    let heads = zip(columns, titles).map { column, title in padded(title, to: column.1, in: column.0) }
    let rules = widths.map { String(repeating: "-", count: $0) }
    return [heads, rules].map(Self.line)
      + filled.flatMap { row in
        [Self.line(columns.map { cell(of: row, in: $0, width: $1) })] + row.notes
      }
  }

  /// Returns a cell with spaces up to the width of its column. The sequences that set its colour take no room.
  private func cell(of row: Row, in index: Int, width: Int) -> String {
    let cell = padded(row.values[index], to: width, in: index)
    guard usesColour else { return cell }
    if row.bests[index] { return TerminalColour.text(cell, tone: .good, isBold: true) }
    guard let tone = row.tones[index], !row.values[index].isEmpty else { return cell }
    return TerminalColour.text(cell, tone: tone)
  }

  private func padded(_ text: String, to width: Int, in index: Int) -> String {
    let spaces = String(repeating: " ", count: width - text.count)
    return table.columns[index].alignment == .left ? text + spaces : spaces + text
  }

  /// Returns false for a row that has values in the columns of other tables only, apart from the key columns.
  private func hasContent(_ row: Row, in group: [Int]) -> Bool {
    func isFilled(_ column: Int) -> Bool { !row.values[column].allSatisfy(\.isWhitespace) }
    if group.dropFirst(table.keyCount).contains(where: isFilled) { return true }
    return group.contains(where: isFilled) && !row.values.indices.dropFirst(table.keyCount).contains(where: isFilled)
  }

  /// Returns the cells in one line, without the spaces at its end.
  private static func line(_ cells: [String]) -> String {
    var line = cells.joined(separator: " ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns the columns of each table.
  private func groups(of rows: [Row]) -> [[Int]] {
    guard !rows.isEmpty, !table.columns.isEmpty else { return [] }
    let hasNotes = rows.contains { !$0.notes.isEmpty }
    let widths = table.columns.indices.map { column in
      rows.reduce(table.columns[column].title.count) { max($0, $1.values[column].count) }
    }
    let keys = Array(widths.indices.prefix(table.keyCount))
    var groups = [keys]
    for column in widths.indices.dropFirst(table.keyCount) {
      let total = groups[groups.count - 1].reduce(widths[column]) { $0 + widths[$1] + 1 }
      if !hasNotes, total > width, groups[groups.count - 1].count > keys.count {
        groups.append(keys + [column])
      } else {
        groups[groups.count - 1].append(column)
      }
    }
    return groups
  }
}
