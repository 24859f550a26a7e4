import MachineCore
import Metrics
import OutputFiles

/// The file `trials.csv`, which has one row for each trial.
package enum TrialTable {
  package static let fileName = "trials.csv"
  package static let header = IdentityColumns.shared + IdentityColumns.trial + MeasureColumns.names
  /// The columns that results of every version of this form have.
  package static let requiredColumns = header.filter { !MeasureColumns.optionalNames.contains($0) }

  package static func csv(_ trials: [TrialRecord]) -> CSV {
    CSV(
      header: header,
      records: trials.map {
        IdentityColumns.sharedFields($0.identity) + IdentityColumns.trialFields($0.identity)
          + MeasureColumns.fields($0.measures)
      })
  }

  /// Reads the trials back. Frames, stalls and noise are in other files.
  ///
  /// - Parameters:
  ///   - csv: The table.
  ///   - path: The path that errors name.
  ///   - required: The columns that must be present. Others may be missing, as they are in results of an older version.
  /// - Returns: The trials, in the order of the rows.
  /// - Throws: `FileError` with code `malformed`.
  package static func trials(
    in csv: CSV, path: String, required: [String] = requiredColumns
  ) throws(FileError) -> [TrialRecord] {
    var trials: [TrialRecord] = []
    var known: Set<[String]> = []
    for record in try CSVRecord.records(of: csv, required: required, path: path) {
      var identity = try IdentityColumns.identity(in: record)
      identity.trial = try record.required("trial", value: record.integer("trial"))
      identity.pid = try record.integer("pid")
      identity.startedNanoseconds = try record.required("started_ns", value: record.integer("started_ns"))
      guard known.insert([identity.name, "\(identity.trial)"]).inserted else {
        throw record.malformed("trial \(identity.trial) of \(QuotedText.of(identity.name)) appears twice")
      }
      trials.append(TrialRecord(identity: identity, measures: try MeasureColumns.measures(in: record)))
    }
    return trials
  }
}

extension TrialTable {
  /// The columns that a comparison requires: the identity of the trial, the judged measures, and the verification of
  /// the data.
  package static let comparedColumns =
    IdentityColumns.shared + IdentityColumns.trial + PrimaryMeasure.all.map(\.measure.name)
    + [TrialMeasures.digestColumn, TrialMeasures.verifiedColumn]
}

/// The file `draws.csv`, which has one row for each trial on a device drawn from the profile's ranges.
///
/// The file has the columns of `trials.csv`, with `draw` in place of `trial`.
package enum DrawTable {
  package static let fileName = "draws.csv"
  package static let header = TrialTable.header.map { $0 == "trial" ? "draw" : $0 }

  package static func csv(_ draws: [TrialRecord]) -> CSV {
    let numbered = draws.map { record in
      var record = record
      record.identity.trial = record.simulation?.draw ?? 0
      return record
    }
    return CSV(header: header, records: TrialTable.csv(numbered).records)
  }

  /// Reads the draws back. The number of the draw is the only figure of the simulation that the table contains; the
  /// others are empty or zero.
  ///
  /// - Throws: `FileError` with code `malformed`.
  package static func draws(in csv: CSV, path: String) throws(FileError) -> [TrialRecord] {
    var csv = csv
    csv.header = csv.header.map { $0 == "draw" ? "trial" : $0 }
    return try TrialTable.trials(in: csv, path: path, required: TrialTable.comparedColumns).map { record in
      var record = record
      record.simulation = SimulationFigures(
        fingerprint: "", draw: record.identity.trial, handOffsCount: 0, eventsCount: 0, virtualNanoseconds: 0,
        wallNanoseconds: 0)
      return record
    }
  }
}

/// The file `summary.csv`, which has one row for each topology and variant.
package enum SummaryTable {
  package static let fileName = "summary.csv"
  package static let header = IdentityColumns.shared + MeasureColumns.names
  /// The columns that results of every version of this form have.
  package static let requiredColumns = header.filter { !MeasureColumns.optionalNames.contains($0) }
  /// The columns that do not contain integers.
  package static let textColumns: Set = [
    "topology", "variant", "machine", "profile", "workload", TrialMeasures.digestColumn,
  ]

  package static func csv(_ summaries: [Summary]) -> CSV {
    CSV(
      header: header,
      records: summaries.map { IdentityColumns.sharedFields($0.identity) + MeasureColumns.fields($0.measures) })
  }

  /// Reads the summaries back. They do not contain which trial was the median.
  ///
  /// - Parameters:
  ///   - csv: The table.
  ///   - path: The path that errors name.
  ///   - required: The columns that must be present. Others may be missing, as they are in results of an older version.
  /// - Returns: The summaries, in the order of the rows.
  /// - Throws: `FileError` with code `malformed`.
  package static func summaries(
    in csv: CSV, path: String, required: [String] = requiredColumns
  ) throws(FileError) -> [Summary] {
    var summaries: [Summary] = []
    for record in try CSVRecord.records(of: csv, required: required, path: path) {
      summaries.append(
        Summary(
          identity: try IdentityColumns.identity(in: record), measures: try MeasureColumns.measures(in: record)))
    }
    return summaries
  }
}

/// The columns that identify the trial or the run of a row.
enum IdentityColumns {
  static let shared = ["topology", "variant", "machine", "profile", "workload", "rows", "seed"]
  static let trial = ["trial", "pid", "started_ns"]

  static func sharedFields(_ identity: TrialIdentity) -> [String] {
    [
      identity.topology, identity.variant ?? "", identity.machine, identity.profile ?? "", identity.workload,
      "\(identity.rows)", "\(identity.seed)",
    ]
  }

  static func trialFields(_ identity: TrialIdentity) -> [String] {
    ["\(identity.trial)", identity.pid.map { "\($0)" } ?? "", "\(identity.startedNanoseconds)"]
  }

  /// Returns the identity in the shared columns. The members that differ between trials are zero.
  static func identity(in record: CSVRecord) throws(FileError) -> TrialIdentity {
    TrialIdentity(
      topology: try record.required("topology", value: record.text("topology")),
      variant: record.text("variant"),
      machine: try record.required("machine", value: record.text("machine")),
      profile: record.text("profile"),
      workload: try record.required("workload", value: record.text("workload")),
      rows: try record.required("rows", value: record.integer("rows")),
      seed: try record.required("seed", value: record.integer("seed")),
      trial: 0, startedNanoseconds: 0)
  }
}

/// The columns of measures.
private enum MeasureColumns {
  static let names =
    Measure.all.map(\.name) + [TrialMeasures.digestColumn, TrialMeasures.verifiedColumn]

  /// The columns that later versions added. They may be missing.
  static let optionalNames = Set(
    Measure.all.filter { $0.isOfHost || $0.isLater || $0.isOfWorkInFlight }.map(\.name))

  static func fields(_ measures: TrialMeasures) -> [String] {
    Measure.all.map { measures[keyPath: $0.keyPath].map { "\($0)" } ?? "" }
      + [measures.storeDigest ?? "", measures.verified.map { "\($0)" } ?? ""]
  }

  static func measures(in record: CSVRecord) throws(FileError) -> TrialMeasures {
    var measures = TrialMeasures()
    for column in Measure.all {
      measures[keyPath: column.keyPath] = try record.integer(column.name)
    }
    measures.storeDigest = record.text(TrialMeasures.digestColumn)
    measures.verified = try record.integer(TrialMeasures.verifiedColumn)
    return measures
  }
}
