import OutputFiles
import Reporting
import Testing

@testable import Experiments

/// Tests of the file of committed figures.
@Suite struct FigureTableTests {
  private func row(_ experiment: String, _ trial: String, _ values: [String: Int64]) -> FigureRow {
    FigureRow(
      key: FigureRow.Key(experiment: experiment, point: "rows=10", stack: "all-main", trial: trial), values: values)
  }

  @Test func `a table is read as it was written`() throws {
    let table = FigureTable(rows: [row("b", "device", ["import_ns": 5]), row("a", "draw 1", ["ended": 0])])
    #expect(table.csv.header == ["experiment", "point", "stack", "trial", "ended", "import_ns"])
    #expect(try FigureTable(CSV(parsing: table.csv.text, path: "f"), path: "f") == table)
  }

  @Test func `new figures of an experiment replace the old ones, and unknown experiments are removed`() {
    let table = FigureTable(rows: [row("a", "device", ["x": 1]), row("gone", "device", ["x": 1])])
    let renewed = table.replacing("b", by: [row("b", "device", ["x": 2])], order: ["b", "a"])
    #expect(renewed.rows.map(\.key.experiment) == ["b", "a"])
    #expect(renewed.replacing("a", by: [], order: ["b", "a"]).rows.map(\.key.experiment) == ["b"])
  }

  @Test func `differences name the trial, the column and both values`() {
    let table = FigureTable(rows: [row("a", "device", ["x": 1])])
    #expect(table.differences(from: [row("a", "device", ["x": 1])]).isEmpty)
    #expect(
      table.differences(from: [row("a", "device", ["x": 2]), row("a", "draw 1", [:])]) == [
        "a, rows=10, all-main, device: x is 2, and figures.csv has 1",
        "a, rows=10, all-main, draw 1: not in figures.csv",
      ])
  }

  @Test(arguments: [
    ("a,b\n", "f:1: begins with other columns; use experiment,point,stack,trial"),
    ("experiment,point,stack,trial,x\na,,s,device,1\na,,s,device,2\n", "f:3: a, s, device appears twice"),
    ("experiment,point,stack,trial,x\na,,s,device,one\n", "f:2: x: one is not a whole number"),
  ])
  func `a damaged table is an error with its line`(text: String, message: String) throws {
    let error = try #require(throws: FileError.self) {
      try FigureTable(CSV(parsing: text, path: "f"), path: "f")
    }
    #expect(error.description == message)
  }
}
