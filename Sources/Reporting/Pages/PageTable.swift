/// A table of a page.
package struct PageTable: Hashable, Sendable {
  package enum Alignment: Hashable, Sendable {
    case left
    case right

    /// Returns the text with spaces up to a width. A text that is wider stays as it is.
    package func padded(_ text: String, to width: Int) -> String {
      let spaces = String(repeating: " ", count: max(0, width - text.count))
      return self == .left ? text + spaces : spaces + text
    }
  }

  package struct Column: Hashable, Sendable {
    package let title: String
    package let alignment: Alignment
    /// True if a terminal marks the best value of the column with an asterisk.
    package var marksBest = false
  }

  package struct Cell: Hashable, Sendable {
    /// The text in one or more parts, which may be on separate lines if the table is too wide for the terminal.
    package var parts: [String]
    package var tone: Page.Tone?
    package var isCode: Bool
    /// True if no other row has a better value in the column.
    package var isBest = false
    /// Words behind the text, such as a judgement on the row.
    package var remark: PageText?

    package init(_ text: String, tone: Page.Tone? = nil, isCode: Bool = false) {
      self.init(parts: [text], tone: tone, isCode: isCode)
    }

    package init(parts: [String], tone: Page.Tone? = nil, isCode: Bool = false) {
      self.parts = parts
      self.tone = tone
      self.isCode = isCode
    }

    package var text: String { (parts + (remark.map { [$0.plain] } ?? [])).joined(separator: " ") }
  }

  package enum Row: Hashable, Sendable {
    case cells([Cell])
    /// The title of the rows below it, up to the next title. A terminal indents those rows.
    case title(String)
    /// A sentence on the rows above it, which spans all columns.
    case note(String)
  }

  package var caption: String?
  /// The class of the table in HTML, by which the style sheet knows it.
  package var style: String?
  package var columns: [Column]
  package var rows: [Row]
  /// The number of columns with which each table begins if a terminal splits a wide one.
  package var keyCount: Int

  package init(
    caption: String? = nil, style: String? = nil, columns: [Column], rows: [Row], keyCount: Int = 1
  ) {
    self.caption = caption
    self.style = style
    self.columns = columns
    self.rows = rows
    self.keyCount = keyCount
  }
}

/// A column of a table together with the text that it has for an element.
package struct PageColumn<Element> {
  let column: PageTable.Column
  let cell: (Element) -> PageTable.Cell

  package init(_ title: String, _ alignment: PageTable.Alignment = .left, _ text: @escaping (Element) -> String) {
    self.init(cells: title, aligned: alignment) { PageTable.Cell(text($0)) }
  }

  package init(
    cells title: String, aligned alignment: PageTable.Alignment = .left, cell: @escaping (Element) -> PageTable.Cell
  ) {
    column = PageTable.Column(title: title, alignment: alignment)
    self.cell = cell
  }

  package static func code(_ title: String, text: @escaping (Element) -> String) -> PageColumn {
    PageColumn(cells: title) { PageTable.Cell(text($0), isCode: true) }
  }
}

extension PageTable {
  /// Creates a table with a row for each element.
  package init<Element>(of elements: [Element], keyCount: Int = 1, _ columns: [PageColumn<Element>]) {
    self.init(
      columns: columns.map(\.column),
      rows: elements.map { element in .cells(columns.map { $0.cell(element) }) }, keyCount: keyCount)
  }
}
