import MachineCore
import Metrics

/// `trials.csv`: one row a trial.
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

  /// Reads the trials back; frames, stalls and noise stand elsewhere.
  ///
  /// - Parameter required: columns that must be there; others may be missing, as they are in results of an older version.
  /// - Throws: `ReportingError` with code `malformed`.
  package static func trials(
    in csv: CSV, path: String, required: [String] = requiredColumns
  ) throws(ReportingError) -> [TrialRecord] {
    var trials: [TrialRecord] = []
    var known: Set<[String]> = []
    for record in try CSVRecord.records(of: csv, required: required, path: path) {
      var identity = try IdentityColumns.identity(in: record)
      identity.trial = try record.required("trial", record.integer("trial"))
      identity.pid = try record.integer("pid")
      identity.startedNanoseconds = try record.required("started_ns", record.integer("started_ns"))
      guard known.insert([identity.name, "\(identity.trial)"]).inserted else {
        throw record.malformed("trial \(identity.trial) of \(QuotedText.of(identity.name)) is there twice")
      }
      trials.append(TrialRecord(identity: identity, measures: try MeasureColumns.measures(in: record)))
    }
    return trials
  }
}

extension TrialTable {
  /// What a comparison cannot do without: which trial it is, what is judged, and whether the data was right.
  package static let comparedColumns =
    IdentityColumns.shared + IdentityColumns.trial + PrimaryMeasure.all.map(\.measure.name)
    + [TrialMeasures.digestColumn, TrialMeasures.verifiedColumn]
}

/// `draws.csv`: one row a trial on a device drawn from the profile's ranges.
///
/// The columns of `trials.csv`, with `draw` in place of `trial`.
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

  /// Reads the draws back, as far as the table tells: which draw a trial is of, and its measures.
  ///
  /// - Throws: `ReportingError` with code `malformed`.
  package static func draws(in csv: CSV, path: String) throws(ReportingError) -> [TrialRecord] {
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

/// `summary.csv`: one row a topology and variant.
package enum SummaryTable {
  package static let fileName = "summary.csv"
  package static let header = IdentityColumns.shared + MeasureColumns.names
  /// The columns that results of every version of this form have.
  package static let requiredColumns = header.filter { !MeasureColumns.optionalNames.contains($0) }
  /// The columns that hold no integers.
  package static let textColumns: Set = [
    "topology", "variant", "machine", "profile", "workload", TrialMeasures.digestColumn,
  ]

  package static func csv(_ summaries: [Summary]) -> CSV {
    CSV(
      header: header,
      records: summaries.map { IdentityColumns.sharedFields($0.identity) + MeasureColumns.fields($0.measures) })
  }

  /// Reads the summaries back; which trial was the median is not in them.
  ///
  /// - Parameter required: as of `TrialTable.trials`.
  /// - Throws: `ReportingError` with code `malformed`.
  package static func summaries(
    in csv: CSV, path: String, required: [String] = requiredColumns
  ) throws(ReportingError) -> [Summary] {
    var summaries: [Summary] = []
    for record in try CSVRecord.records(of: csv, required: required, path: path) {
      summaries.append(
        Summary(
          identity: try IdentityColumns.identity(in: record), measures: try MeasureColumns.measures(in: record)))
    }
    return summaries
  }
}

/// The columns that say which trial or run a row is of.
private enum IdentityColumns {
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

  /// What the shared columns say; the trial's own are zero.
  static func identity(in record: CSVRecord) throws(ReportingError) -> TrialIdentity {
    TrialIdentity(
      topology: try record.required("topology", record.text("topology")),
      variant: record.text("variant"),
      machine: try record.required("machine", record.text("machine")),
      profile: record.text("profile"),
      workload: try record.required("workload", record.text("workload")),
      rows: try record.required("rows", record.integer("rows")),
      seed: try record.required("seed", record.integer("seed")),
      trial: 0, startedNanoseconds: 0)
  }
}

/// The columns of measures.
private enum MeasureColumns {
  static let names =
    Measure.all.map(\.name) + [TrialMeasures.digestColumn, TrialMeasures.verifiedColumn]

  /// The columns that came later and may be missing, because only live trials fill them.
  static let optionalNames = Set(Measure.all.filter(\.isOfHost).map(\.name))

  static func fields(_ measures: TrialMeasures) -> [String] {
    Measure.all.map { measures[keyPath: $0.keyPath].map { "\($0)" } ?? "" }
      + [measures.storeDigest ?? "", measures.verified.map { "\($0)" } ?? ""]
  }

  static func measures(in record: CSVRecord) throws(ReportingError) -> TrialMeasures {
    var measures = TrialMeasures()
    for column in Measure.all {
      measures[keyPath: column.keyPath] = try record.integer(column.name)
    }
    measures.storeDigest = record.text(TrialMeasures.digestColumn)
    measures.verified = try record.integer(TrialMeasures.verifiedColumn)
    return measures
  }
}
