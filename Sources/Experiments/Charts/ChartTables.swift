import Foundation
import Reporting
import TrialProcesses

/// Writes tables in the form that gnuplot reads, in which a field contains no quotes, commas or line breaks.
enum ChartTables {
  /// Makes the tables of a result available in a folder for gnuplot. Tables that the result does not have are skipped.
  ///
  /// A table without quotes becomes a symbolic link. A table with quotes is copied, with its quotes and commas
  /// replaced.
  ///
  /// - Parameters:
  ///   - names: The file names of the tables.
  ///   - folder: The folder of the result.
  ///   - target: The folder that gets the links and copies.
  /// - Throws: `RunFailure` if the folder cannot be written; `FileError` if a table is damaged.
  static func prepare(_ names: Set<String>, of folder: String, in target: String) throws {
    for name in names.sorted() {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      guard data.contains(UInt8(ascii: "\"")) else {
        do {
          try FileManager.default.createSymbolicLink(
            atPath: "\(target)/\(name)", withDestinationPath: "\(folder)/\(name)")
        } catch {
          throw RunFailure.failed("\(target)/\(name): cannot be made: \(error.localizedDescription)")
        }
        continue
      }
      let csv = try CSV(parsing: String(decoding: data, as: UTF8.self), path: "\(folder)/\(name)")
      try write(csv, to: "\(target)/\(name)")
    }
  }

  /// Writes a table to a file for gnuplot.
  ///
  /// - Throws: `RunFailure` if the file cannot be written.
  static func write(_ csv: CSV, to file: String) throws {
    let plain = CSV(header: csv.header, records: csv.records.map { $0.map(printed) })
    try ScratchFolder.write(plain.text, to: file)
  }

  /// Returns a field in one line, with similar looking characters in place of quotes and commas.
  private static func printed(_ field: String) -> String {
    VisibleText.line(field).replacing("\"", with: "\u{201d}").replacing(",", with: "\u{201a}")
  }
}
