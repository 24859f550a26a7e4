import Metrics
import OutputFiles

/// The file `killed.csv`, which has one row for each trial whose app was killed.
package enum KilledTable {
  package static let fileName = "killed.csv"
  package static let header =
    ["topology", "variant", "trial", "kill_ns"] + counts.map(\.name) + ["consistent"]

  /// The columns that do not contain integers.
  package static let textColumns: Set = ["topology", "variant"]

  private static let counts: [(name: String, keyPath: WritableKeyPath<KilledRecord, Int> & Sendable)] = [
    ("payloads_arrived_count", \.payloadsArrivedCount), ("payloads_visible_count", \.payloadsVisibleCount),
    ("payloads_durable_count", \.payloadsDurableCount), ("rows_lost_count", \.rowsLostCount),
    ("rows_visible_lost_count", \.rowsVisibleLostCount),
    ("payloads_visible_lost_count", \.payloadsVisibleLostCount),
    ("edits_acknowledged_count", \.editsAcknowledgedCount), ("edits_lost_count", \.editsLostCount),
    ("commits_acknowledged_count", \.commitsAcknowledgedCount),
    ("rows_committed_lost_count", \.rowsCommittedLostCount),
    ("units_half_written_count", \.unitsHalfWrittenCount), ("integrity_problems_count", \.integrityProblemsCount),
  ]

  /// The pairs of columns of which the first counts a part of what the second counts, or has a row for each at least.
  private static let parts: [(part: String, whole: String)] = [
    ("payloads_visible_count", "payloads_arrived_count"),
    ("payloads_durable_count", "payloads_arrived_count"), ("rows_visible_lost_count", "rows_lost_count"),
    ("payloads_visible_lost_count", "payloads_visible_count"),
    ("payloads_visible_lost_count", "rows_visible_lost_count"), ("edits_lost_count", "edits_acknowledged_count"),
  ]

  /// The names of the columns that count payloads, rows and edits.
  package static let countNames = counts.map(\.name)

  /// Returns the value of a column that counts payloads, rows or edits, or nil if there is no such column.
  package static func count(_ name: String, of record: KilledRecord) -> Int64? {
    counts.first { $0.name == name }.map { Int64(record[keyPath: $0.keyPath]) }
  }

  package static func csv(_ records: [KilledRecord]) -> CSV {
    CSV(
      header: header,
      records: records.map { record in
        [record.topology, record.variant ?? "", "\(record.trial)", "\(record.killNanoseconds)"]
          + counts.map { "\(record[keyPath: $0.keyPath])" } + ["\(record.consistent)"]
      })
  }

  /// Reads the records back.
  ///
  /// - Throws: `FileError` with code `malformed`, also for counts that contradict each other.
  package static func records(in csv: CSV, path: String) throws(FileError) -> [KilledRecord] {
    var records: [KilledRecord] = []
    for row in try CSVRecord.records(of: csv, required: header, path: path) {
      var record = KilledRecord(
        topology: try row.required("topology", value: row.text("topology")), variant: row.text("variant"),
        trial: try row.required("trial", value: row.integer("trial")),
        killNanoseconds: try row.required("kill_ns", value: row.integer("kill_ns")))
      for (name, keyPath) in counts { record[keyPath: keyPath] = try row.required(name, value: row.integer(name)) }
      for (part, whole) in parts {
        guard let own = count(part, of: record), let most = count(whole, of: record), own > most else { continue }
        throw row.malformed("\(part): \(own) is more than \(whole); use 0 to \(most)")
      }
      record.consistent = try row.required("consistent", value: row.integer("consistent"))
      records.append(record)
    }
    return records
  }
}
