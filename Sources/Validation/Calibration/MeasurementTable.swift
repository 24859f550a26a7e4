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
  static let requiredColumns = ["scenario", "size", "cpu_ns"]
  private static let storageColumn = "storage_ns"
  private static let bytesSuffix = "_bytes"
  /// The largest number in a field: 1,000 s in nanoseconds, or 10¹² counts. A larger number is taken for a wrong unit.
  private static let limit = 1_000_000_000_000

  package var measurements: [WorkMeasurement]

  package init(_ measurements: [WorkMeasurement]) {
    self.measurements = measurements
  }

  // MARK: Writing

  package var text: String {
    let kinds = Work.Kind.allCases.filter { kind in measurements.contains { $0[count: kind] + $0[bytes: kind] > 0 } }
    let bytes = kinds.filter { kind in measurements.contains { $0[bytes: kind] > 0 } }
    var csv = CSV(
      header: MeasurementTable.requiredColumns + [MeasurementTable.storageColumn] + kinds.map(\.name)
        + bytes.map { $0.name + MeasurementTable.bytesSuffix })
    csv.records = measurements.map { measurement in
      [measurement.scenario]
        + ([measurement.size, Int(measurement.cpu.nanoseconds), Int(measurement.storage.nanoseconds)]
        + kinds.map { measurement[count: $0] } + bytes.map { measurement[bytes: $0] }).map(String.init)
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

  private enum Meaning: Hashable {
    case scenario
    case size
    case cpu
    case storage
    case count(Work.Kind)
    case bytes(Work.Kind)
  }

  private static func columns(of header: [String], path: String) throws(RunFailure) -> [Meaning] {
    var columns: [Meaning] = []
    for name in header {
      guard let meaning = meaning(of: name) else {
        throw .usage(
          "\(path):1: the column \(QuotedText.of(name)) is not known; use scenario, size, cpu_ns, storage_ns or a kind of work"
        )
      }
      guard !columns.contains(meaning) else { throw .usage("\(path):1: the column \(name) appears twice; use it once") }
      columns.append(meaning)
    }
    for name in requiredColumns where !header.contains(name) {
      throw .usage("\(path):1: the column \(name) is missing")
    }
    let hasWork = columns.contains { if case .count = $0 { true } else { false } }
    guard hasWork else { throw .usage("\(path):1: no column is a kind of work, such as rowWritten") }
    return columns
  }

  private static func meaning(of name: String) -> Meaning? {
    switch name {
    case "scenario": return .scenario
    case "size": return .size
    case "cpu_ns": return .cpu
    case storageColumn: return .storage
    default:
      if let kind = Work.Kind.named(name) { return .count(kind) }
      guard name.hasSuffix(bytesSuffix) else { return nil }
      return Work.Kind.named(String(name.dropLast(bytesSuffix.count))).map(Meaning.bytes)
    }
  }

  private struct Row {
    let fields: [String]
    let columns: [Meaning]
    let place: String

    func measurement() throws(RunFailure) -> WorkMeasurement {
      var measurement = WorkMeasurement(scenario: "", size: 0, cpu: .zero, storage: .zero)
      for (field, column) in zip(fields, columns) {
        switch column {
        case .scenario: measurement.scenario = field
        case .size: measurement.size = try number(field, column: "size")
        case .cpu: measurement.cpu = TimeSpan(nanoseconds: Int64(try number(field, column: "cpu_ns")))
        case .storage:
          measurement.storage = TimeSpan(nanoseconds: Int64(try number(field, column: MeasurementTable.storageColumn)))
        case .count(let kind): measurement[count: kind] = try number(field, column: kind.name)
        case .bytes(let kind):
          measurement[bytes: kind] = try number(field, column: kind.name + MeasurementTable.bytesSuffix)
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
