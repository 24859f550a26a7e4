import Metrics

/// The file `sweep.csv`: one row for each trial, with the varied flags before the columns of `trials.csv`.
///
/// If a flag has the same name as one of these columns, the file has both, and the first holds the flag's value as
/// given. If devices were drawn, the last column has the number of the draw.
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
    let draws = rows.map(\.record.simulation?.draw)
    let hasDraws = draws.contains { $0 != nil }
    return CSV(
      header: flags + trials.header + (hasDraws ? ["draw"] : []),
      records: zip(zip(rows, draws), trials.records).map { row, fields in
        row.0.values + fields + (hasDraws ? [row.1.map { "\($0)" } ?? ""] : [])
      })
  }

  /// Returns the trials of a table as objects. `flags` are the varied flags, which are the first columns.
  ///
  /// A varied flag that has the name of a column has no separate member: the column has the value that resulted.
  package static func members(of csv: CSV, flags: [String]) -> TableRows {
    let own = Set(csv.header.dropFirst(flags.count))
    let kept = csv.header.indices.filter { $0 >= flags.count || !own.contains(csv.header[$0]) }
    let table = CSV(
      header: kept.map { csv.header[$0] }, records: csv.records.map { record in kept.map { record[$0] } })
    return TableRows(table, textColumns: SummaryTable.textColumns.union(flags.filter { !own.contains($0) }))
  }

  /// Returns a table with a row for each point and stack: the flags, the stack, and for each measure the median and the
  /// ends of the range, as ``Summary/Range`` has them.
  ///
  /// Rows that differ only in one of the flags `repetitions`, such as a seed, belong to one point.
  package static func ranges(flags: [String], rows: [Row], repetitions: Set<String>) -> CSV {
    let distinct = flags.indices.filter { !repetitions.contains(flags[$0]) }
    var keys: [[String]] = []
    var points: [[String]: [Row]] = [:]
    for row in rows {
      let key = distinct.map { row.values[$0] } + [row.record.identity.name]
      if points[key] == nil { keys.append(key) }
      points[key, default: []].append(row)
    }
    return CSV(
      header: flags + IdentityColumns.shared + Measure.all.flatMap { [$0.name, "\($0.name)_low", "\($0.name)_high"] },
      records: keys.compactMap { key in
        let rows = points[key] ?? []
        let draws = rows.map(\.record).filter { $0.simulation?.draw != nil }
        guard let summary = Summary(of: rows.map(\.record), draws: draws), let range = summary.range else { return nil }
        return rows[0].values + IdentityColumns.sharedFields(summary.identity)
          + Measure.all.flatMap { column in
            [summary.measures, range.low, range.high].map { measures in
              measures[keyPath: column.keyPath].map { "\($0)" } ?? ""
            }
          }
      })
  }

  /// Returns the names of the measures whose values differ between the rows, in the order of the columns. The chart of
  /// any other measure would be flat.
  package static func differingMeasures(of rows: [Row]) -> [String] {
    Measure.all.filter { column in
      Set(rows.compactMap { $0.record.measures[keyPath: column.keyPath] }).count > 1
    }.map(\.name)
  }
}
