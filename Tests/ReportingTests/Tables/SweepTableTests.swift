import Metrics
import Testing

@testable import Reporting

@Suite struct SweepTableTests {
  @Test func `trials that differ only in their seeds belong to one point`() throws {
    let rows = [("20", "1", 2), ("20", "2", 5), ("20", "3", 3), ("40", "1", 4)].map { size, seed, scale in
      SweepTable.Row(values: [size, seed], record: MadeUpResults.trial("all-main", nil, scale: Int64(scale)))
    }
    let csv = SweepTable.ranges(flags: ["batch-size", "seed"], rows: rows, repetitions: ["seed"])
    let records = try CSVRecord.records(of: csv, required: ["batch-size", "topology"], path: "ranges.csv")
    #expect(try records.map { try $0.required("batch-size", value: $0.integer("batch-size")) } == [20, 40])
    let name = "frames_dropped_count"
    for (column, values) in [(name, [15, 20]), ("\(name)_low", [10, 20]), ("\(name)_high", [25, 20])] {
      #expect(
        try records.map { try $0.required(column, value: $0.integer(column)) } == values.map(Int64.init), "\(column)")
    }
  }
}
