import CResources

/// Renders a page as an HTML file that holds all it shows and makes no requests.
struct HTMLPage: Sendable {
  private let page: Page
  private let kind: String
  private let subject: String

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - page: The page to render.
  ///   - kind: The line above the title, which names the kind of page.
  ///   - subject: The line below the title, which names the results that the page is about.
  init(_ page: Page, kind: String, subject: String) {
    self.page = page
    self.kind = kind
    self.subject = subject
  }

  /// The text of the file. Characters that a browser obeys in place of showing them have a visible one in their place.
  var text: String {
    let headline = page.title?.plain ?? ""
    let parts = [
      "headline": HTMLPage.escaped(headline), "kind": HTMLPage.escaped(kind), "subject": HTMLPage.escaped(subject),
      "style": String(cString: resource("page.css")),
      "sections": Self.html(page.sections, level: 2, separator: "\n\n"),
    ]
    // The frame around the sections has a name in two braces at the place of each part.
    let pieces = String(cString: resource("page.html")).split(separator: "{{", omittingEmptySubsequences: false)
    return VisibleText.lines(
      pieces.dropFirst().reduce(String(pieces[0])) { text, piece in
        let ends = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
        guard let part = parts[String(ends[0])] else { fatalError("\(ends[0]) is no part of an HTML page") }
        return text + part + ends[1]
      })
  }

  // MARK: Sections

  private static func html(_ sections: [Page.Section], level: Int, separator: String = "\n") -> String {
    sections.map { html($0, level: level) }.joined(separator: separator)
  }

  private static func html(_ section: Page.Section, level: Int) -> String {
    let blocks = section.blocks.flatMap { html($0, level: level) }
    guard let heading = section.heading.map({ html($0) }) else { return blocks.joined(separator: "\n") }
    let reference = section.name.map { " aria-labelledby=\"\(escaped($0))\"" } ?? ""
    let identifier = section.name.map { " id=\"\(escaped($0))\"" } ?? ""
    let title = "<h\(level)\(identifier)>\(heading)</h\(level)>"
    guard section.isFolded else { return element("section\(reference)", contents: [title] + blocks) }
    return element("details", contents: ["<summary>\(title)</summary>"] + blocks)
  }

  // MARK: Blocks

  private static func html(_ block: Page.Block, level: Int) -> [String] {
    switch block {
    case .paragraphs(let texts, _): texts.map { paragraph($0) }
    case .line(let text): [paragraph(text)]
    case .missing(let text): [paragraph(text, style: "missing")]
    case .legend(let text): [paragraph(text, style: "legend")]
    case .statements(let statements):
      [element("ul class=\"statements\"", contents: statements.map { html($0, level: level) })]
    case .facts(let facts): [element("dl", contents: facts.map(html))]
    case .terms(let terms): [element("dl class=\"terms\"", contents: terms.map(html))]
    case .list(let list): (list.title.map { [paragraph($0)] } ?? []) + [html(list)]
    case .table(let table): [HTMLTable(table).text]
    case .fitting(let table, let above, _): (above.map { [paragraph($0)] } ?? []) + [HTMLTable(table).text]
    case .chart(let chart): [html(chart)]
    case .commands(let commands): commands.flatMap(html)
    case .sections(let sections): [html(sections, level: level + 1)]
    }
  }

  private static func paragraph(_ text: PageText, style: String? = nil) -> String {
    "<p\(style.map { " class=\"\($0)\"" } ?? "")>\(html(text))</p>"
  }

  private static func html(_ statement: Page.Statement, level: Int) -> String {
    let text = statement.sentences.isEmpty ? [] : ["<p>\(escaped(statement.sentences.joined(separator: " ")))</p>"]
    let items =
      statement.items.isEmpty ? [] : [element("ul", contents: statement.items.map { "<li>\(escaped($0))</li>" })]
    return element(
      "li class=\"\(statement.tone.name)\"",
      contents: [
        "<span class=\"sign\" aria-hidden=\"true\">\(statement.tone.sign)</span>",
        "<h\(level + 1)>\(escaped(statement.title))</h\(level + 1)>", element("div", contents: text + items),
      ])
  }

  private static func html(_ fact: Page.Fact) -> String {
    "<div><dt>\(escaped(fact.term))</dt><dd>\(html(fact.value))</dd></div>"
  }

  private static func html(_ list: Page.List) -> String {
    let items = list.items.map { item in
      "<li>\(html(item.text))\(item.command.map { " <code>\(escaped($0))</code>" } ?? "")</li>"
    }
    return element("\(list.isNumbered ? "ol" : "ul") class=\"items\"", contents: items)
  }

  private static func html(_ command: Page.Command) -> [String] {
    let parts = command.parts.map { "<span>\(escaped($0))</span>" }.joined(separator: " ")
    return [
      "<p>\(escaped(command.purpose)):</p>",
      "<pre class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"The command\"><code>\(parts)</code></pre>",
    ]
  }

  private static func html(_ chart: ReportChart) -> String {
    let identifier = escaped("chart-\(chart.name)")
    func caption(_ style: String) -> String {
      "<figcaption id=\"\(identifier)\"\(style)>\(escaped(chart.title))</figcaption>"
    }
    guard case .svg(let svg) = chart.drawing else {
      return element("figure", contents: [caption(""), paragraph(chart.reason, style: "missing")])
    }
    // The drawing shows the title itself.
    let drawings = chart.narrow.map { narrow in
      [
        (style: "chart wide", markup: ChartMarkup(svg: svg, name: chart.name)),
        (
          style: "chart narrow",
          markup: ChartMarkup(svg: narrow, name: chart.name, prefix: chart.name + ReportChart.narrowSuffix)
        ),
      ]
    }
    return element(
      "figure",
      contents: [caption(" class=\"spoken\"")]
        + (drawings ?? [(style: "chart", markup: ChartMarkup(svg: svg, name: chart.name))]).map {
          element("div class=\"\($0.style)\"", contents: [$0.markup.element])
        })
  }

  // MARK: Texts

  static func html(_ text: PageText) -> String {
    text.runs.map { run in
      switch run {
      case .plain(let text): escaped(text)
      case .code(let text), .command(let text): "<code>\(escaped(text))</code>"
      case .judgement(let word, let tone): badge(word, tone: tone)
      case .link(let text, let address): "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
      case .bestMark: "<span class=\"best\">★</span>"
      }
    }.joined()
  }

  /// Returns a word with a sign, which shows the judgement to a reader who cannot tell its color.
  static func badge(_ word: String, tone: Page.Tone?) -> String {
    "<span class=\"badge \(tone.name)\"><span aria-hidden=\"true\">\(tone.sign)</span> \(escaped(word))</span>"
  }

  static func escaped(_ text: String) -> String {
    HTMLText.escaped(VisibleText.line(text)).replacing("'", with: "&#39;")
  }

  /// Returns an element whose contents are on lines of their own. The tag may have attributes.
  static func element(_ tag: String, contents: [String]) -> String {
    (["<\(tag)>"] + contents + ["</\(tag.prefix { $0 != " " })>"]).joined(separator: "\n")
  }
}

extension Page.Tone? {
  /// The sign in front of a judgement.
  fileprivate var sign: String {
    switch self {
    case .good: "✓"
    case .warning: "!"
    case .bad: "✕"
    case nil: "·"
    }
  }

  /// The class of the style sheet.
  fileprivate var name: String {
    switch self {
    case .good: "good"
    case .warning: "warning"
    case .bad: "bad"
    case nil: "plain"
    }
  }
}
