import Testing

@testable import Reporting

@Suite struct HTMLPageTests {
  private func html(_ blocks: Page.Block...) -> String {
    HTMLPage(Page(title: "Title", sections: [Page.Section(blocks)]), kind: "Kind", subject: "Subject").text
  }

  private func pages(_ blocks: Page.Block...) -> (terminal: String, markdown: String) {
    let page = Page(sections: [Page.Section(blocks)])
    return (page.terminal(), page.markdown)
  }

  private let statement = Page.Statement(tone: .bad, title: "Data", sentences: ["One.", "Two."], items: ["a: b"])
  private let table = PageTable(
    caption: "Caption", style: "short",
    columns: [
      PageTable.Column(title: "name", alignment: .left), PageTable.Column(title: "ms", alignment: .right),
    ],
    rows: [
      .title("Group"),
      .cells([
        {
          var cell = PageTable.Cell("a")
          cell.remark = "\("slow", .warning)"
          return cell
        }(),
        {
          var cell = PageTable.Cell("1.5")
          cell.isBest = true
          return cell
        }(),
      ]),
      .cells([PageTable.Cell("b", isCode: true), PageTable.Cell("7", tone: .bad)]),
      .note("A note."),
    ])

  @Test func `the frame has the title, the line above it and the line below it`() {
    let page = html()
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("<title>Title – Subject – Stackbench</title>"))
    #expect(page.contains("<p class=\"kicker\">Kind</p>\n<h1>Title</h1>\n<p class=\"subject\">Subject</p>"))
  }

  @Test func `a section is named by its heading, and a folded one is closed`() {
    let inner = Page.Section("Inner", isFolded: true, [.paragraphs(["text"])])
    let page = HTMLPage(
      Page(
        title: "T",
        sections: [
          Page.Section("A & B", name: "ab", [.sections([inner])]),
          Page.Section("C", [.sections([Page.Section("D", [])])]),
        ]),
      kind: "", subject: ""
    ).text
    #expect(
      page.contains(
        """
        <section aria-labelledby="ab">
        <h2 id="ab">A &amp; B</h2>
        <details>
        <summary><h3>Inner</h3></summary>
        <p>text</p>
        </details>
        </section>

        <section>
        <h2>C</h2>
        <section>
        <h3>D</h3>
        </section>
        </section>
        """))
  }

  @Test func `runs of text have elements, and what they hold is escaped`() {
    let text: PageText = """
      <\(code: "c&")> \(command: "run 'x'") \("bad", .bad) \(PageText.Run.link("Apple", to: "https://a.b/?c&d")) \
      \(PageText.Run.bestMark)
      """
    #expect(
      html(.line(text)).contains(
        """
        <p>&lt;<code>c&amp;</code>&gt; <code>run &#39;x&#39;</code> <span class="badge bad"><span aria-hidden="true">✕</span> \
        bad</span> <a href="https://a.b/?c&amp;d">Apple</a> <span class="best">★</span></p>
        """))
    let printed = pages(.line(text))
    #expect(printed.terminal == "<c&> 'run 'x'' bad Apple (https://a.b/?c&d) *\n")
    #expect(printed.markdown == "\\<`c&`\\> `run 'x'` **bad** [Apple](https://a.b/?c&d) \\*\n")
  }

  @Test func `a table has a caption, row headers, alignment, tones and the best value`() {
    let page = html(.table(table))
    #expect(
      page.contains(
        """
        <div class="scroll short" role="region" tabindex="0" aria-label="Caption">
        <table role="table">
        <caption>Caption</caption>
        <thead role="rowgroup">
        <tr role="row"><th role="columnheader" scope="col">name</th><th role="columnheader" scope="col" class="number">ms</th></tr>
        </thead>
        <tbody role="rowgroup">
        <tr role="row">
        <th role="rowheader" scope="rowgroup" colspan="2">Group</th>
        </tr>
        <tr role="row">
        <th role="rowheader" scope="row">a <span class="remark">\
        <span class="badge warning"><span aria-hidden="true">!</span> slow</span></span></th>
        <td role="cell" data-label="ms" class="number best"><span class="star" aria-hidden="true">★</span>\
        <span class="spoken">best: </span>1.5</td>
        </tr>
        <tr role="row">
        <th role="rowheader" scope="row"><code>b</code></th>
        <td role="cell" data-label="ms" class="number"><span class="badge bad"><span aria-hidden="true">✕</span> 7</span></td>
        </tr>
        <tr role="row">
        <td role="cell" colspan="2">A note.</td>
        </tr>
        </tbody>
        </table>
        </div>
        """))
    let printed = pages(.table(table))
    #expect(printed.terminal.hasPrefix("Caption\nname"))
    #expect(printed.terminal.contains("  a slow 1.5\n"))
    #expect(printed.markdown.hasPrefix("Caption\n\n| name | ms |\n"))
    #expect(printed.markdown.contains("| a slow | 1.5 |"))
  }

  @Test func `several key columns are cells, each with the title of its column`() {
    var table = table
    table.keyCount = 2
    #expect(html(.table(table)).contains("<td role=\"cell\" data-label=\"name\">a <span"))
  }

  @Test func `statements have a sign, sentences and items`() {
    #expect(
      html(.statements([statement, Page.Statement(tone: nil, title: "Plain", sentences: [])])).contains(
        """
        <ul class="statements">
        <li class="bad">
        <span class="sign" aria-hidden="true">✕</span>
        <h3>Data</h3>
        <div>
        <p>One. Two.</p>
        <ul>
        <li>a: b</li>
        </ul>
        </div>
        </li>
        <li class="plain">
        <span class="sign" aria-hidden="true">·</span>
        <h3>Plain</h3>
        <div>
        </div>
        </li>
        </ul>
        """))
    let printed = pages(.statements([statement]))
    #expect(printed.terminal == "Data: One. Two.\n  a: b\n")
    #expect(printed.markdown == "**Data**: One. Two.\n\n- a: b\n")
  }

  @Test func `lists have bullets or numbers, and an item its command`() {
    let items = [Page.Item("one"), Page.Item("two", command: "a > b")]
    let page = html(.list(Page.List("Title", items)), .list(Page.List(nil, items, isNumbered: true)))
    let contents = "<li>one</li>\n<li>two <code>a &gt; b</code></li>"
    #expect(
      page.contains("<p>Title</p>\n<ul class=\"items\">\n\(contents)\n</ul>\n<ol class=\"items\">\n\(contents)\n</ol>"))
    let printed = pages(.list(Page.List(nil, items, isNumbered: true)))
    #expect(printed.terminal == "  1. one\n  2. two\n    a > b\n")
    #expect(printed.markdown == "1. one\n2. two `a > b`\n")
  }

  @Test func `facts, terms and commands are lists of pairs and lines of code`() {
    let fact = Page.Fact("Term", "\(code: "x")")
    let page = html(
      .facts([fact]), .terms([fact]), .commands([Page.Command("To see it", parts: ["run", "--rows 'a b'"])]))
    #expect(
      page.contains(
        """
        <dl>
        <div><dt>Term</dt><dd><code>x</code></dd></div>
        </dl>
        <dl class="terms">
        <div><dt>Term</dt><dd><code>x</code></dd></div>
        </dl>
        <p>To see it:</p>
        <pre class="scroll" role="region" tabindex="0" aria-label="The command"><code><span>run</span> \
        <span>--rows &#39;a b&#39;</span></code></pre>
        """))
    #expect(pages(.commands([Page.Command("To see it", parts: ["run", "-x"])])).terminal == "To see it:  run -x\n")
  }

  @Test func `what is missing is a sentence in every format`() {
    let chart = ReportChart(name: "lateness", drawing: .missing("Not drawn."))
    let page = html(.missing("Not here."), .legend("Legend."), .chart(chart))
    #expect(
      page.contains(
        """
        <p class="missing">Not here.</p>
        <p class="legend">Legend.</p>
        <figure>
        <figcaption id="chart-lateness">Frame lateness over time</figcaption>
        <p class="missing">Not drawn.</p>
        </figure>
        """))
    let printed = pages(.missing("Not here."), .legend("Legend."), .chart(chart))
    #expect(printed.terminal == "Not here.\nLegend.\nFrame lateness over time: Not drawn.\n")
    #expect(printed.markdown == "Not here.\n\nLegend.\n\nFrame lateness over time: Not drawn.\n")
    let drawn = ReportChart(name: "lateness", drawing: .svg("<svg width=\"1\" height=\"1\"></svg>"))
    #expect(self.pages(.chart(drawn)).terminal == "Frame lateness over time\n")
  }
}
