/// Renders a page as Markdown, for a comment on a pull request or a file in a repository.
package struct MarkdownPage: Sendable {
  private let page: Page
  private let level: Int

  /// Creates the renderer of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - level: The level of the title. Headings of sections are one level below it.
  package init(_ page: Page, level: Int = 3) {
    self.page = page
    self.level = level
  }

  package var text: String {
    let title = page.title.map { [heading($0, level: level)] } ?? []
    return (title + page.sections.flatMap(blocks)).joined(separator: "\n\n") + "\n"
  }

  private func heading(_ text: PageText, level: Int) -> String {
    String(repeating: "#", count: level) + " " + Self.text(text)
  }

  // MARK: Blocks

  private func blocks(_ section: Page.Section) -> [String] {
    let blocks = section.blocks.flatMap(blocks)
    guard let heading = section.heading else { return blocks }
    guard section.isFolded else { return [self.heading(heading, level: level + 1)] + blocks }
    // Markdown is not read inside of an HTML element.
    return ["<details><summary>\(HTMLText.escaped(heading.plain))</summary>"] + blocks + ["</details>"]
  }

  private func blocks(_ block: Page.Block) -> [String] {
    switch block {
    case .paragraphs(let texts, _): texts.map(Self.text)
    case .line(let text), .missing(let text), .legend(let text): [Self.text(text)]
    case .statements(let statements): statements.flatMap { blocks($0.list) }
    case .facts(let facts), .terms(let facts):
      [Self.bullets(facts.map { "**\(MarkdownText.escaped($0.term))**: \(Self.text($0.value))" })]
    case .list(let list): blocks(list)
    case .table(let table): blocks(table)
    case .fitting(let table, let above, _): (above.map { [Self.text($0)] } ?? []) + blocks(table)
    case .chart(let chart): [Self.text(chart.text)]
    case .commands(let commands): [(["```sh"] + commands.map(\.command) + ["```"]).joined(separator: "\n")]
    case .sections(let sections): sections.flatMap(blocks)
    }
  }

  private func blocks(_ list: Page.List) -> [String] {
    let items = list.items.map { Self.text($0.text) + ($0.command.map { " " + MarkdownText.code($0) } ?? "") }
    let title = list.title.map { [Self.text($0)] } ?? []
    guard !items.isEmpty else { return title }
    return title + [
      list.isNumbered
        ? items.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n") : Self.bullets(items)
    ]
  }

  private func blocks(_ table: PageTable) -> [String] {
    (table.caption.map { [MarkdownText.escaped($0)] } ?? []) + [Self.text(table)]
  }

  private static func bullets(_ items: [String]) -> String { items.map { "- \($0)" }.joined(separator: "\n") }

  // MARK: Texts and tables

  private static func text(_ text: PageText) -> String {
    text.runs.map { run in
      switch run {
      case .plain(let text): MarkdownText.escaped(text)
      case .code(let text), .command(let text): MarkdownText.code(text)
      case .judgement(let word, _): "**\(MarkdownText.escaped(word))**"
      case .link(let text, let address): "[\(MarkdownText.escaped(text))](\(address))"
      case .bestMark: MarkdownText.escaped("*")
      }
    }.joined()
  }

  private static func text(_ table: PageTable) -> String {
    let rule = table.columns.map { $0.alignment == .left ? "---" : "--:" }
    let rows = table.rows.map { row in
      switch row {
      case .cells(let cells): cells.map(text)
      case .title(let title): spanning("**\(MarkdownText.escaped(title))**", in: table)
      case .note(let note): spanning(MarkdownText.escaped(note), in: table)
      }
    }
    return ([table.columns.map { MarkdownText.escaped($0.title) }, rule] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func spanning(_ text: String, in table: PageTable) -> [String] {
    [text] + [String](repeating: "", count: table.columns.count - 1)
  }

  private static func text(_ cell: PageTable.Cell) -> String {
    guard !cell.text.isEmpty else { return "" }
    // A bar ends the cell even in code.
    let text =
      cell.isCode ? MarkdownText.code(cell.text).replacing("|", with: "\\|") : MarkdownText.escaped(cell.text)
    return cell.tone == .bad ? "**\(text)**" : text
  }
}

/// Text in the syntax of Markdown.
enum MarkdownText {
  /// Returns the text with a backslash before each character that has a meaning in Markdown.
  static func escaped(_ text: String) -> String {
    text.map { "\\`*_[]<>|#&".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// Returns the text as a code span, whose fence is longer than any row of backticks in the text.
  static func code(_ text: String) -> String {
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let padding = longest > 0 ? " " : ""
    return fence + padding + text + padding + fence
  }
}
