import Metrics

/// `sweep.csv`: one row a trial, the varied flags before the columns of `trials.csv`.
///
/// Where a flag is called like one of those columns, both are there, and the first is the flag's value as given.
package enum SweepTable {
  package static let fileName = "sweep.csv"

  package struct Row: Sendable {
    /// The values of the varied flags, in their order.
    package var values: [String]
    package var record: TrialRecord

    package init(values: [String], record: TrialRecord) {
      self.values = values
      self.record = record
    }
  }

  package static func csv(flags: [String], rows: [Row]) -> CSV {
    let trials = TrialTable.csv(rows.map(\.record))
    return CSV(
      header: flags + trials.header,
      records: zip(rows, trials.records).map { row, fields in row.values + fields })
  }

  /// The measures that some row has, in the order of the columns.
  package static func measures(of rows: [Row]) -> [String] {
    Measure.all.filter { column in
      rows.contains { $0.record.measures[keyPath: column.keyPath] != nil }
    }.map(\.name)
  }
}
