import Testing

@testable import Reporting

@Suite struct TerminalTableTests {
  private func table(_ titles: [String], _ rows: [[String]]) -> TerminalTable {
    TerminalTable(
      PageTable(
        columns: titles.map { PageTable.Column(title: $0, alignment: .right) },
        rows: rows.map { row in .cells(row.map { PageTable.Cell($0) }) }))
  }

  @Test func `a table that fits is one`() {
    #expect(
      table(["a", "longer"], [["1", "2"], ["300", ""]]).text == """
          a longer
        --- ------
          1      2
        300

        """)
    #expect(table(["a"], []).text.isEmpty)
  }

  @Test(arguments: [(38, 1), (39, 2)])
  func `columns beyond the eightieth go into a table below, which begins with the first`(width: Int, count: Int) {
    let wide = String(repeating: "x", count: width)
    let text = table(["n", "b", "c"], [["1", wide, wide]]).text
    let tables = text.split(separator: "\n\n", omittingEmptySubsequences: true)
    #expect(tables.count == count)
    for table in tables { #expect(table.split(separator: "\n").last?.hasPrefix("1 ") == true) }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `what is wider than a terminal stays whole`() {
    let wide = String(repeating: "x", count: 100)
    #expect(table(["n", "b"], [["1", wide]]).lines.last == "1 \(wide)")
  }

  @Test func `a cell of more than 400 characters is shortened and does not widen the other rows further`() {
    let lines = table(["n", "b"], [["1", String(repeating: "x", count: 100_000)], ["2", "y"]]).lines
    #expect(lines[2] == "1 \(String(repeating: "x", count: 400))…")
    #expect(lines.allSatisfy { $0.count == 403 })
  }

  @Test(
    arguments: [
      ("one two", " ", ["one two"]), ("", " ", [""]),
      (String(repeating: "w", count: 40) + " " + String(repeating: "v", count: 39), " ", nil),
      (
        String(repeating: "w", count: 40) + " " + String(repeating: "v", count: 40), " ",
        [String(repeating: "w", count: 40), "  " + String(repeating: "v", count: 40)]
      ),
      (
        String(repeating: "a b ", count: 15) + "c, " + String(repeating: "d", count: 20), ", ",
        [String(repeating: "a b ", count: 15) + "c,", "  " + String(repeating: "d", count: 20)]
      ),
    ] as [(String, String, [String]?)])
  func `lines break where they may and nowhere else`(text: String, separator: String, lines: [String]?) {
    #expect(WrappedText.lines(text, hanging: 2, at: separator) == lines ?? [text])
  }
}
