import Testing

@testable import Reporting

@Suite struct CSVTests {
  @Test func `lines end in CR LF and fields are quoted only where they must be`() {
    let csv = CSV(header: ["a", "b"], records: [["1", ""], ["x,y", "say \"no\""], ["two\nlines", "\r"]])
    #expect(csv.text == "a,b\r\n1,\r\n\"x,y\",\"say \"\"no\"\"\"\r\n\"two\nlines\",\"\r\"\r\n")
  }

  @Test func `what is written is read back`() throws {
    let csv = CSV(
      header: ["a", "b", "c"], records: [["", "", ""], ["\"", "\"\"", ","], ["\r\n", "x", " y "], ["1", "-2", ""]])
    #expect(try CSV(parsing: csv.text, path: "t.csv") == csv)
  }

  @Test func `line feeds alone and a missing last one are read, too`() throws {
    #expect(
      try CSV(parsing: "a,b\n1,2\n3,4", path: "t.csv") == CSV(header: ["a", "b"], records: [["1", "2"], ["3", "4"]]))
  }

  @Test(arguments: [
    ("", "t.csv:1: the file is empty; a header is expected"),
    ("a,b\r\n1\r\n", "t.csv:2: 1 fields where the header has 2"),
    ("a,b\r\n1,2\r\n1,2,3\r\n", "t.csv:3: 3 fields where the header has 2"),
    ("a\r\nx\"y\r\n", "t.csv:2: a quote inside a field that does not begin with one"),
    ("a\r\n\"x\"y\r\n", "t.csv:2: text after the closing quote of a field"),
    ("a\r\n\"x\r\n", "t.csv:3: a quoted field without its closing quote"),
    ("a\rb\r\n", "t.csv:1: a carriage return without a line feed"),
  ])
  func `a damaged table is refused with one line that says where`(text: String, message: String) {
    let error = #expect(throws: ReportingError.self) { try CSV(parsing: text, path: "t.csv") }
    #expect(error?.code == .malformed)
    #expect(error?.description == message)
  }
}
