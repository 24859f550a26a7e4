/// Renders a page for a terminal.
package struct TerminalPage: Sendable {
  private let page: Page
  private let usesColour: Bool
  private let width: Int

  /// Creates the renderer of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - usesColour: True if the text contains sequences that set colours.
  ///   - width: The number of columns of the terminal. Names and commands that are longer stay in one piece.
  package init(_ page: Page, usesColour: Bool = false, width: Int = WrappedText.terminalWidth) {
    self.page = page
    self.usesColour = usesColour
    self.width = width
  }

  package var text: String { text(page.sections) }

  private func text(_ sections: [Page.Section]) -> String {
    sections.map(text).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func text(_ section: Page.Section) -> String {
    let blocks = section.blocks.map(text).joined()
    guard let heading = section.heading, !section.isFolded else { return blocks }
    return paragraph(heading) + "\n" + blocks
  }

  private func text(_ block: Page.Block) -> String {
    switch block {
    case .paragraphs(let texts, let wrapping):
      texts.map { paragraph($0, hanging: wrapping == .hanging ? 2 : 0, at: wrapping == .commas ? ", " : " ") }.joined()
    case .line(let text): text.plain + "\n"
    case .missing(let text), .legend(let text): paragraph(text)
    case .statements(let statements): statements.map { text($0.list) }.joined()
    case .facts(let facts): aligned(facts.map { ($0.term, $0.value.plain) }, gap: 1)
    case .terms(let terms): text(terms)
    case .list(let list): text(list)
    case .table(let table): text(table)
    case .fitting(let table, let above, let sections):
      terminalTable(table).isWhole
        ? (above.map { paragraph($0, hanging: 2) + "\n" } ?? "") + text(table) : text(sections)
    case .chart(let chart): paragraph(chart.text)
    case .commands(let commands): aligned(commands.map { ($0.purpose, $0.command) }, gap: 2)
    case .sections(let sections): text(sections)
    }
  }

  private func paragraph(_ text: PageText, indent: Int = 0, hanging: Int = 0, at separator: String = " ") -> String {
    let lines = WrappedText.lines(text.plain, width: width, indent: indent, hanging: hanging, at: separator)
      .map { $0 + "\n" }.joined()
    return text.runs.reduce(lines) { lines, run in
      guard usesColour, case .judgement(let word, let tone) = run else { return lines }
      return lines.replacing(word, with: TerminalColour.text(word, tone: tone, isBold: true), maxReplacements: 1)
    }
  }

  private func aligned(_ pairs: [(term: String, text: String)], gap: Int) -> String {
    let longest = pairs.map(\.term.count).max() ?? 0
    return pairs.map { term, text in
      PageTable.Alignment.left.padded(term + ":", to: longest + 1 + gap) + text + "\n"
    }.joined()
  }

  private func text(_ terms: [Page.Fact]) -> String {
    let longest = terms.map(\.term.count).max() ?? 0
    return terms.flatMap { term in
      WrappedText.lines(
        term.value.plain, width: width,
        prefix: "  " + PageTable.Alignment.left.padded(term.term, to: longest + 2))
    }.map { $0 + "\n" }.joined()
  }

  private func text(_ list: Page.List) -> String {
    let items = list.items.enumerated().map { index, item in
      paragraph(
        list.isNumbered ? "\(index + 1). \(item.text)" : item.text, indent: 2, hanging: 4,
        at: list.breaksAtCommas ? ", " : " ")
        + (item.command.map { "    \($0)\n" } ?? "")
    }
    return (list.title.map { paragraph($0) } ?? "") + items.joined()
  }

  private func terminalTable(_ table: PageTable) -> TerminalTable {
    TerminalTable(table, usesColour: usesColour, width: width)
  }

  private func text(_ table: PageTable) -> String {
    (table.caption.map { paragraph(PageText($0)) } ?? "") + terminalTable(table).text
  }
}
