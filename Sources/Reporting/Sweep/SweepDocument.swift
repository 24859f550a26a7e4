import Metrics

/// The JSON object that `show --format json` prints for a sweep: stable member names, and one object for each trial.
///
/// A varied flag that has the name of a column has no separate member: the column has the value that resulted.
package struct SweepDocument: Encodable, Sendable {
  private let schema = 1
  private let output: String
  private let command: String
  private let flags: [String]
  private let trials: TableRows

  /// Creates the document of a sweep.
  ///
  /// - Parameters:
  ///   - output: The folder of the sweep, an absolute path.
  ///   - command: The command that repeats the sweep.
  ///   - flags: The varied flags, which are the first columns of `csv`.
  ///   - csv: The table of the sweep.
  package init(output: String, command: String, flags: [String], csv: CSV) {
    self.output = output
    self.command = command
    self.flags = flags
    let own = Set(csv.header.dropFirst(flags.count))
    let kept = csv.header.indices.filter { $0 >= flags.count || !own.contains(csv.header[$0]) }
    let table = CSV(
      header: kept.map { csv.header[$0] }, records: csv.records.map { record in kept.map { record[$0] } })
    trials = TableRows(table, textColumns: SummaryTable.textColumns.union(flags.filter { !own.contains($0) }))
  }
}
