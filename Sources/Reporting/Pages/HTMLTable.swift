/// Renders a table as HTML.
///
/// The roles are explicit because browsers drop those of a table whose style sheet shows each row as a card. A card shows
/// the title of the column, which each cell repeats, in front of the text.
struct HTMLTable: Sendable {
  private let table: PageTable

  init(_ table: PageTable) {
    self.table = table
  }

  /// The table inside of an element that scrolls it.
  var text: String {
    let caption = table.caption.map { HTMLPage.escaped($0) }
    let style = table.style.map { " " + HTMLPage.escaped($0) } ?? ""
    let label = caption.map { " aria-label=\"\($0)\"" } ?? ""
    let content =
      (caption.map { ["<caption>\($0)</caption>"] } ?? []) + [
        HTMLPage.element("thead role=\"rowgroup\"", contents: [titles]),
        HTMLPage.element("tbody role=\"rowgroup\"", contents: table.rows.map(html)),
      ]
    return HTMLPage.element(
      "div class=\"scroll\(style)\" role=\"region\" tabindex=\"0\"\(label)",
      contents: [HTMLPage.element("table role=\"table\"", contents: content)])
  }

  private var titles: String {
    let titles = table.columns.map { column in
      "<th role=\"columnheader\" scope=\"col\"\(styles(of: column))>\(HTMLPage.escaped(column.title))</th>"
    }
    return "<tr role=\"row\">\(titles.joined())</tr>"
  }

  private func html(_ row: PageTable.Row) -> String {
    switch row {
    case .cells(let cells): HTMLPage.element("tr role=\"row\"", contents: cellElements(cells))
    case .title(let title): spanning("th role=\"rowheader\" scope=\"rowgroup\"", text: title)
    case .note(let note): spanning("td role=\"cell\"", text: note)
    }
  }

  private func spanning(_ tag: String, text: String) -> String {
    let end = tag.prefix { $0 != " " }
    return HTMLPage.element(
      "tr role=\"row\"", contents: ["<\(tag) colspan=\"\(table.columns.count)\">\(HTMLPage.escaped(text))</\(end)>"])
  }

  /// Returns the cells of a row. The first one is the header of the row if no other column is a key.
  private func cellElements(_ cells: [PageTable.Cell]) -> [String] {
    zip(cells, table.columns).enumerated().map { index, pair in
      let (cell, column) = pair
      let text = content(of: cell)
      if index == 0, table.keyCount == 1 { return "<th role=\"rowheader\" scope=\"row\">\(text)</th>" }
      let label = HTMLPage.escaped(column.title)
      return "<td role=\"cell\" data-label=\"\(label)\"\(styles(of: column, isBest: cell.isBest))>\(text)</td>"
    }
  }

  private func styles(of column: PageTable.Column, isBest: Bool = false) -> String {
    let styles = (column.alignment == .right ? ["number"] : []) + (isBest ? ["best"] : [])
    return styles.isEmpty ? "" : " class=\"\(styles.joined(separator: " "))\""
  }

  private func content(of cell: PageTable.Cell) -> String {
    let mark =
      cell.isBest ? "<span class=\"star\" aria-hidden=\"true\">★</span><span class=\"spoken\">best: </span>" : ""
    let parts = cell.parts.joined(separator: " ")
    let text =
      cell.isCode
      ? "<code>\(HTMLPage.escaped(parts))</code>"
      : cell.tone.map { HTMLPage.badge(parts, tone: $0) } ?? HTMLPage.escaped(parts)
    return mark + text + (cell.remark.map { " <span class=\"remark\">\(HTMLPage.html($0))</span>" } ?? "")
  }
}
