import OutputFiles
import Testing

@testable import Reporting

@Suite struct CSVTests {
  @Test func `lines end in CR LF and fields are quoted only where they must be`() {
    let csv = CSV(header: ["a", "b"], records: [["1", ""], ["x,y", "say \"no\""], ["two\nlines", "x\r"]])
    #expect(csv.text == "a,b\r\n1,\r\n\"x,y\",\"say \"\"no\"\"\"\r\n\"two\nlines\",\"x\r\"\r\n")
  }

  @Test func `what is written is read back`() throws {
    let csv = CSV(
      header: ["a", "b", "c"], records: [["", "", ""], ["\"", "\"\"", ","], ["\r\n", "x", " y "], ["1", "-2", ""]])
    #expect(try CSV(parsing: csv.text, path: "t.csv") == csv)
  }

  @Test(arguments: [
    ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
    ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"), ("-2+3", "'-2+3"), ("-", "'-"), ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("+1", "'+1"), ("'=1", "''=1"), ("''-1", "'''-1"), ("--1", "'--1"),
    ("-1e", "'-1e"), ("-\u{661}", "'-\u{661}"), ("-x", "'-x"), ("-1\n", "\"'-1\n\""),
  ])
  func `a field that a spreadsheet would compute is written as text and read back`(field: String, cell: String) throws {
    let csv = CSV(header: ["a", field], records: [[field, "x"], ["x", field]])
    #expect(csv.text == "a,\(cell)\r\n\(cell),x\r\nx,\(cell)\r\n")
    #expect(try CSV(parsing: csv.text, path: "t.csv") == csv)
  }

  @Test(arguments: ["-1", "-0.25", "-1.5e-07", "-3e+20", "0", "1.5", "'", "'a", "''", "a=b", "three-tier"])
  func `numbers and other text are written as they are`(field: String) throws {
    let csv = CSV(header: ["a"], records: [[field]])
    #expect(csv.text == "a\r\n\(field)\r\n")
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
    let error = #expect(throws: FileError.self) { try CSV(parsing: text, path: "t.csv") }
    #expect(error?.code == .malformed)
    #expect(error?.description == message)
  }
}
