import Foundation
import OutputFiles
import Reporting

/// The committed figures of all experiments.
///
/// The file has a row for each trial and a column for each measure that a claim uses. A field is empty if no claim uses
/// the column of the row's experiment.
package struct FigureTable: Hashable, Sendable {
  package static let fileName = "figures.csv"

  private static let keyColumns = ["experiment", "point", "stack", "trial"]

  /// The rows in the order of the file.
  package private(set) var rows: [FigureRow]
  private var places: [FigureRow.Key: Int] = [:]

  package init(rows: [FigureRow] = []) {
    self.rows = rows
    for (place, row) in rows.enumerated() { places[row.key] = place }
  }

  /// Returns the row of a trial, or nil if the table does not have it.
  package subscript(key: FigureRow.Key) -> FigureRow? { places[key].map { rows[$0] } }

  /// Returns the table with the rows of one experiment replaced. The experiments are in the order of `order`, and rows
  /// of other experiments are removed.
  package func replacing(_ experiment: String, by new: [FigureRow], order: [String]) -> FigureTable {
    FigureTable(
      rows: order.flatMap { id in id == experiment ? new : rows.filter { $0.key.experiment == id } })
  }
}

// MARK: - CSV

extension FigureTable {
  /// The table as CSV. The measures are in alphabetical order.
  package var csv: CSV {
    let columns = Set(rows.flatMap(\.values.keys)).sorted()
    return CSV(
      header: Self.keyColumns + columns,
      records: rows.map { row in
        [row.key.experiment, row.key.point, row.key.stack, row.key.trial]
          + columns.map { row.values[$0].map { "\($0)" } ?? "" }
      })
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - csv: The table as text fields.
  ///   - path: The path of the file, which errors name.
  /// - Throws: `FileError` with code `malformed` that names the line, if a column is missing, a field is not an
  ///   integer, or a trial appears twice.
  package init(_ csv: CSV, path: String) throws(FileError) {
    guard Array(csv.header.prefix(Self.keyColumns.count)) == Self.keyColumns else {
      throw FileError(
        .malformed, path: path, line: 1,
        message: "begins with other columns; use \(Self.keyColumns.joined(separator: ","))")
    }
    var rows: [FigureRow] = []
    var keys: Set<FigureRow.Key> = []
    for (place, record) in csv.records.enumerated() {
      let key = FigureRow.Key(experiment: record[0], point: record[1], stack: record[2], trial: record[3])
      guard keys.insert(key).inserted else {
        throw FileError(.malformed, path: path, line: place + 2, message: "\(key.text) appears twice")
      }
      var values: [String: Int64] = [:]
      for (name, field) in zip(csv.header, record).dropFirst(Self.keyColumns.count) where !field.isEmpty {
        guard let value = Int64(field) else {
          throw FileError(
            .malformed, path: path, line: place + 2, message: "\(name): \(field) is not a whole number")
        }
        values[name] = value
      }
      rows.append(FigureRow(key: key, values: values))
    }
    self.init(rows: rows)
  }
}

// MARK: - Comparing

extension FigureTable {
  /// Returns a line for each row of another table that this table lacks or that has other values here.
  package func differences(from fresh: [FigureRow]) -> [String] {
    fresh.compactMap { row in
      guard let kept = self[row.key] else { return "\(row.key.text): not in \(Self.fileName)" }
      let names = Set(row.values.keys).union(kept.values.keys).sorted()
      guard let name = names.first(where: { row.values[$0] != kept.values[$0] }) else { return nil }
      func text(_ value: Int64?) -> String { value.map { "\($0)" } ?? "nothing" }
      return "\(row.key.text): \(name) is \(text(row.values[name])), and \(Self.fileName) has "
        + text(kept.values[name])
    }
  }
}
