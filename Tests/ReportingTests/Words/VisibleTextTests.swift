import Foundation
import Testing

@testable import Reporting

/// Text from files is shown in terminals and pages without the characters that control these.
@Suite struct VisibleTextTests {
  private static let hostile = "a\u{1b}[31mb\u{7}\u{85}\u{202e}c\u{2028}\u{7f}"

  @Test func `each control character has one visible character in its place`() {
    let line = VisibleText.line(Self.hostile + "\nd\te\r\n")
    #expect(line == "a␛[31mb␇\u{fffd}\u{fffd}c\u{fffd}␡␊d␉e␍␊")
    #expect(VisibleText.line("é e\u{301} \u{1f600} \u{200d}") == "é e\u{301} \u{1f600} \u{200d}")
  }

  @Test func `lines keep their breaks and tabs, and colours only where they are asked for`() {
    #expect(VisibleText.lines("a\tb\n\u{1b}[1;32mc\u{1b}[0m\r\nd\re") == "a\tb\n␛[1;32mc␛[0m\r\nd␍e")
    let coloured = "\u{1b}[1;32mc\u{1b}[0m \u{1b}[2J \u{1b}]0;x\u{7} \u{1b}"
    #expect(VisibleText.lines(coloured, keepsColours: true) == "\u{1b}[1;32mc\u{1b}[0m ␛[2J ␛]0;x␇ ␛")
  }

  @Test func `a table has its lines and columns whatever its cells hold`() {
    func text(_ names: [String], usesColour: Bool = false) -> String {
      let columns = [PageColumn<String>("name") { $0 }, PageColumn("n", .right) { _ in "1" }]
      return TerminalTable(PageTable(of: names, columns), usesColour: usesColour).text
    }
    let plain = text(["abc", "defgh"])
    let visible = text(["a\u{1b}c", "d\nf\u{202e}h"])
    #expect(visible == plain.replacing("abc", with: "a␛c").replacing("defgh", with: "d␊f\u{fffd}h"))
    #expect(text(["\u{1b}[31mred"], usesColour: true).contains("␛[31mred"))
  }

  @Test func `JSON has escapes in their place, and is equal`() throws {
    let text = try JSONText.text(of: ["name": Self.hostile])
    let obeyed = text.unicodeScalars.filter { $0 != "\n" && VisibleText.isObeyed($0) }
    #expect(obeyed.isEmpty)
    #expect(text.contains(#"\u202e"#) && text.contains(#"\u007f"#))
    #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == ["name": Self.hostile])
  }

  @Test func `a page has none of them`() {
    let result = ReportedResult(
      title: Self.hostile, manifest: MadeUpResults.manifest, roles: MadeUpResults.roles,
      trials: [MadeUpResults.trial("a\u{1b}b", nil, scale: 1)])
    let page = RunReport(
      result: result, answer: MadeUpReport.answer(result),
      charts: [ReportChart(name: "lateness", drawing: .svg("<svg width=\"1\" height=\"1\"><text>\u{9b}x</text></svg>"))]
    )
    let html = page.html
    for text in ["a␛[31mb␇", "a␛b", "\u{fffd}x"] { #expect(html.contains(text)) }
    let obeyed = html.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && VisibleText.isObeyed($0) }
    #expect(obeyed.isEmpty)
  }
}
