import MachineCore
import Metrics
import OutputFiles

/// The frames or stalls of one topology and variant.
package struct TopologyRows<Row: Hashable & Sendable>: Hashable, Sendable {
  package let topology: String
  package let variant: String?
  package var rows: [Row]

  /// The stack's name: `topology/variant`, or the topology alone if there is no variant.
  package var name: String { variant.map { "\(topology)/\($0)" } ?? topology }
}

/// The file `frames.csv`, which has one row for each tick of each median trial.
package enum FrameTable {
  package static let fileName = "frames.csv"
  package static let header = [
    "topology", "variant", "tick", "due_ns", "posted", "start_ns", "end_ns", "shown_tick", "late_ns", "lateness_ns",
    "missed", "cause", "wait_ns",
  ]

  package static func csv(_ topologies: [TopologyRows<FrameRow>]) -> CSV {
    CSV(header: header, records: topologies.flatMap { topology in topology.rows.map { fields($0, of: topology) } })
  }

  private static func fields(_ row: FrameRow, of topology: TopologyRows<FrameRow>) -> [String] {
    let place = [topology.topology, topology.variant ?? "", "\(row.tick)", "\(row.due.nanoseconds)"]
    let lateness = "\(row.lateness.nanoseconds)"
    guard let frame = row.frame else { return place + ["0", "", "", "", "", lateness, "", "", ""] }
    return place + [
      "1", "\(frame.start.nanoseconds)", "\(frame.end.nanoseconds)", "\(frame.shownTick)",
      "\(frame.late.nanoseconds)", lateness, "\(frame.missedCount)", frame.cause.name, "\(frame.wait.nanoseconds)",
    ]
  }

  /// Reads the frames back.
  ///
  /// - Throws: `FileError` with code `malformed`.
  package static func topologies(in csv: CSV, path: String) throws(FileError) -> [TopologyRows<FrameRow>] {
    var grouping = Grouping<FrameRow>()
    for record in try CSVRecord.records(of: csv, required: header, path: path) {
      var row = FrameRow(
        tick: try record.required("tick", value: record.integer("tick")),
        due: try record.span("due_ns"), lateness: try record.span("lateness_ns"))
      if try record.integer("posted", as: Int.self) == 1 { row.frame = try frame(in: record) }
      try grouping.append(row, of: record)
    }
    return grouping.topologies
  }

  private static func frame(in record: CSVRecord) throws(FileError) -> FrameRow.Frame {
    FrameRow.Frame(
      start: try record.span("start_ns"), end: try record.span("end_ns"),
      shownTick: try record.required("shown_tick", value: record.integer("shown_tick")),
      late: try record.span("late_ns"),
      missedCount: try record.required("missed", value: record.integer("missed")), cause: try record.cause(),
      wait: try record.span("wait_ns"))
  }
}

/// The file `stalls.csv`: the frames of each median trial that started more than one interval late.
package enum StallTable {
  package static let fileName = "stalls.csv"
  package static let header = [
    "topology", "variant", "tick", "start_ns", "duration_ns", "cause", "context", "objects_count", "statement",
    "waited_for", "waited_ns",
  ]

  package static func csv(_ topologies: [TopologyRows<StallRow>]) -> CSV {
    CSV(header: header, records: topologies.flatMap { topology in topology.rows.map { fields($0, of: topology) } })
  }

  private static func fields(_ row: StallRow, of topology: TopologyRows<StallRow>) -> [String] {
    let reason = row.reason
    return [
      topology.topology, topology.variant ?? "", "\(row.tick)", "\(row.start.nanoseconds)",
      "\(row.duration.nanoseconds)", row.cause.name, reason.context ?? "", reason.objectCount.map { "\($0)" } ?? "",
      reason.statement.map(line) ?? "", reason.waitedFor ?? "", reason.waited.map { "\($0.nanoseconds)" } ?? "",
    ]
  }

  /// Returns a statement in one line of ASCII. Characters of other scripts become question marks.
  private static func line(_ statement: String) -> String {
    String(String.UnicodeScalarView(statement.unicodeScalars.map { $0.isASCII ? $0.value < 0x20 ? " " : $0 : "?" }))
  }

  /// Reads the stalls back.
  ///
  /// - Throws: `FileError` with code `malformed`.
  package static func topologies(in csv: CSV, path: String) throws(FileError) -> [TopologyRows<StallRow>] {
    var grouping = Grouping<StallRow>()
    for record in try CSVRecord.records(of: csv, required: header, path: path) {
      let row = StallRow(
        tick: try record.required("tick", value: record.integer("tick")), start: try record.span("start_ns"),
        duration: try record.span("duration_ns"), cause: try record.cause(),
        reason: StallReason(
          context: record.text("context"), objectCount: try record.integer("objects_count"),
          statement: record.text("statement"), waitedFor: record.text("waited_for"),
          waited: try record.integer("waited_ns").map { TimeSpan(nanoseconds: $0) }))
      try grouping.append(row, of: record)
    }
    return grouping.topologies
  }
}

/// Collects rows by topology and variant, in the order of first appearance.
private struct Grouping<Row: Hashable & Sendable> {
  private(set) var topologies: [TopologyRows<Row>] = []

  mutating func append(_ row: Row, of record: CSVRecord) throws(FileError) {
    let topology = try record.required("topology", value: record.text("topology"))
    let variant = record.text("variant")
    // Rows of one topology are adjacent, so the last one is nearly always right.
    if let index = topologies.lastIndex(where: { $0.topology == topology && $0.variant == variant }) {
      topologies[index].rows.append(row)
    } else {
      topologies.append(TopologyRows(topology: topology, variant: variant, rows: [row]))
    }
  }
}

extension CSVRecord {
  fileprivate func span(_ column: String) throws(FileError) -> TimeSpan {
    TimeSpan(nanoseconds: try required(column, value: integer(column)))
  }

  fileprivate func cause() throws(FileError) -> TimeLabel {
    let name = try required("cause", value: text("cause"))
    guard let cause = TimeLabel(name: name) else { throw malformed("cause \(name) is not known") }
    return cause
  }
}
