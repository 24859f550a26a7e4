import Foundation
import MachineCore
import MachineSimulated
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// A CSV file of measurements, which `calibrate --measurements` writes and `calibrate --from` reads.
///
/// A line describes one scenario at one size. The columns are `scenario,size,cpu_ns,storage_ns`, followed by the counts
/// of each kind of work. Their columns have the names of the kinds as `stackbench profiles NAME` prints them, such as
/// `rowWritten`; the bytes of that kind are in `rowWritten_bytes`. `storage_ns` is the time spent waiting for storage
/// without a core. This column may be missing, as may the columns of kinds that were not measured. An empty field is 0.
package struct MeasurementTable {
  private static let scenarioColumn = "scenario"

  /// A column of numbers.
  private struct Column: Sendable {
    let name: String
    /// True for the counts of a kind of work.
    var isCount = false
    let value: @Sendable (WorkMeasurement) -> Int
    let set: @Sendable (inout WorkMeasurement, Int) -> Void
  }

  /// The columns that each table has, of which the last one may be missing in a file.
  private static let leading = [
    Column(name: "size", value: { $0.size }, set: { $0.size = $1 }),
    Column(
      name: "cpu_ns", value: { Int($0.cpu.nanoseconds) }, set: { $0.cpu = TimeSpan(nanoseconds: Int64($1)) }),
    Column(
      name: "storage_ns", value: { Int($0.storage.nanoseconds) },
      set: { $0.storage = TimeSpan(nanoseconds: Int64($1)) }),
  ]
  private static let counts = Work.Kind.allCases.map { kind in
    Column(name: kind.name, isCount: true, value: { $0[count: kind] }, set: { $0[count: kind] = $1 })
  }
  private static let bytes = Work.Kind.allCases.map { kind in
    Column(name: "\(kind.name)_bytes", value: { $0[bytes: kind] }, set: { $0[bytes: kind] = $1 })
  }
  /// The largest number in a field: 1,000 s in nanoseconds, or 10¹² counts. A larger number is taken for a wrong unit.
  private static let limit = 1_000_000_000_000

  package var measurements: [WorkMeasurement]

  package init(_ measurements: [WorkMeasurement]) {
    self.measurements = measurements
  }

  // MARK: Writing

  package var text: String {
    let counts = zip(Self.counts, Self.bytes).filter { count, bytes in
      measurements.contains { count.value($0) + bytes.value($0) > 0 }
    }.map(\.0)
    let bytes = Self.bytes.filter { column in measurements.contains { column.value($0) > 0 } }
    let columns = Self.leading + counts + bytes
    var csv = CSV(header: [Self.scenarioColumn] + columns.map(\.name))
    csv.records = measurements.map { measurement in
      [measurement.scenario] + columns.map { "\($0.value(measurement))" }
    }
    return csv.text
  }

  // MARK: Reading

  /// Reads the measurements in a file.
  ///
  /// - Throws: `RunFailure` for bad usage if the file cannot be read or is not a valid table. The message begins with
  ///   the path, followed by the line if the error is in one line.
  package init(path: String) throws(RunFailure) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .usage("\(path): cannot be read; use measurements in CSV")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .usage("\(path): not UTF-8 text; use measurements in CSV")
    }
    try self.init(parsing: text, path: path)
  }

  init(parsing text: String, path: String) throws(RunFailure) {
    let csv: CSV
    do throws(FileError) {
      csv = try CSV(parsing: text, path: path)
    } catch {
      throw .usage("\(error)")
    }
    let columns = try MeasurementTable.columns(of: csv.header, path: path)
    guard !csv.records.isEmpty else { throw .usage("\(path):1: no measurement follows the header") }
    measurements = []
    var known: Set<[String]> = []
    for (place, record) in csv.records.enumerated() {
      let row = Row(fields: record, columns: columns, place: "\(path):\(place + 2)")
      let measurement = try row.measurement()
      guard known.insert([measurement.scenario, "\(measurement.size)"]).inserted else {
        throw .usage("\(row.place): \(measurement.scenario) of size \(measurement.size) appears twice; use each once")
      }
      measurements.append(measurement)
    }
    guard Set(measurements.map(\.scenario)).count > 1 else {
      throw .usage(
        "\(path): has one scenario only; use two or more that do some of the same work, so that they can predict "
          + "each other")
    }
  }

  /// Returns the columns of a header. That of the scenario, which is no number, is nil.
  private static func columns(of header: [String], path: String) throws(RunFailure) -> [Column?] {
    let known = leading + counts + bytes
    var columns: [Column?] = []
    for (place, name) in header.enumerated() {
      let column = known.first { $0.name == name }
      guard column != nil || name == scenarioColumn else {
        throw .usage(
          "\(path):1: the column \(QuotedText.of(name)) is not known; use scenario, size, cpu_ns, storage_ns or a kind of work"
        )
      }
      guard !header[..<place].contains(name) else {
        throw .usage("\(path):1: the column \(name) appears twice; use it once")
      }
      columns.append(column)
    }
    for name in [scenarioColumn] + leading.dropLast().map(\.name) where !header.contains(name) {
      throw .usage("\(path):1: the column \(name) is missing")
    }
    guard columns.contains(where: { $0?.isCount == true }) else {
      throw .usage("\(path):1: no column is a kind of work, such as rowWritten")
    }
    return columns
  }

  private struct Row {
    let fields: [String]
    let columns: [Column?]
    let place: String

    func measurement() throws(RunFailure) -> WorkMeasurement {
      var measurement = WorkMeasurement(scenario: "", size: 0, cpu: .zero, storage: .zero)
      for (field, column) in zip(fields, columns) {
        if let column {
          column.set(&measurement, try number(field, column: column.name))
        } else {
          measurement.scenario = field
        }
      }
      guard !measurement.scenario.isEmpty else { throw .usage("\(place): scenario is empty") }
      guard measurement.size > 0 else { throw .usage("\(place): size is 0; use 1 or more") }
      guard measurement.cpu > .zero else { throw .usage("\(place): cpu_ns is 0; use the time that the work took") }
      guard Work.Kind.allCases.contains(where: { measurement[count: $0] > 0 }) else {
        throw .usage("\(place): no work is counted")
      }
      return measurement
    }

    private func number(_ field: String, column: String) throws(RunFailure) -> Int {
      if field.isEmpty { return 0 }
      guard let value = Int(field) else {
        throw .usage("\(place): \(column) is not a whole number: \(QuotedText.of(field))")
      }
      guard (0...MeasurementTable.limit).contains(value) else {
        throw .usage("\(place): \(column) \(value) is out of range; use 0 to \(MeasurementTable.limit)")
      }
      return value
    }
  }
}
