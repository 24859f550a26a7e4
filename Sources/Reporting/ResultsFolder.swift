import Foundation
import Metrics

/// The folder that holds the files of a run.
package struct ResultsFolder: Hashable, Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func path(of fileName: String) -> String {
    URL(fileURLWithPath: path).appendingPathComponent(fileName).path
  }
}

// MARK: - Writing

extension ResultsFolder {
  /// Makes the folder, and finds out before a long run whether files can be written there.
  ///
  /// - Throws: `ReportingError` with code `unwritable`.
  package func prepare() throws(ReportingError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ReportingError(.unwritable, path: path, message: "cannot be made: \(AtomicFile.reason(of: error))")
    }
    _ = try AtomicFile(staging: Data(), for: path(of: "probe"))
  }

  /// Writes all files of a run, replacing those of an earlier one; none is touched unless all could be written.
  ///
  /// - Parameters:
  ///   - draws: The trials on devices drawn from the profile's ranges; without them there is no `draws.csv`.
  ///   - traceParts: What `trace.json` is joined from; nil = there is to be none.
  /// - Throws: `ReportingError` with code `unwritable`, or `unreadable` for a part of the trace.
  package func write(
    _ trials: [TrialRecord], draws: [TrialRecord] = [], manifest: Manifest, traceParts: [String]? = nil
  ) throws(ReportingError) {
    try prepare()
    let summaries = Summary.summaries(of: trials, draws: draws)
    var tables = [
      (TrialTable.fileName, TrialTable.csv(trials)),
      (SummaryTable.fileName, SummaryTable.csv(summaries)),
      (FrameTable.fileName, FrameTable.csv(summaries.compactMap { Self.rows(of: $0, \.frames) })),
      (StallTable.fileName, StallTable.csv(summaries.compactMap { Self.rows(of: $0, \.stalls) })),
    ]
    if !draws.isEmpty { tables.append((DrawTable.fileName, DrawTable.csv(draws))) }
    try write(tables, manifest, traceParts: traceParts)
    remove(
      [KilledTable.fileName, ReportPage.fileName, ResultOrigin.fileName] + (draws.isEmpty ? [DrawTable.fileName] : [])
        + (traceParts == nil ? [TraceFile.fileName] : []))
  }

  /// Writes the files of a run whose apps were killed, replacing all those of an earlier run.
  ///
  /// - Throws: `ReportingError` with code `unwritable`.
  package func write(_ killed: [KilledRecord], manifest: Manifest) throws(ReportingError) {
    try prepare()
    try write([(KilledTable.fileName, KilledTable.csv(killed))], manifest)
    remove([
      TrialTable.fileName, SummaryTable.fileName, FrameTable.fileName, StallTable.fileName, DrawTable.fileName,
      TraceFile.fileName, ReportPage.fileName, ResultOrigin.fileName,
    ])
  }

  /// Removes what an earlier run, or a report of it, left: it would pass for this one's.
  private func remove(_ fileNames: [String]) {
    for name in fileNames { try? FileManager.default.removeItem(atPath: path(of: name)) }
  }

  private func write(
    _ tables: [(name: String, csv: CSV)], _ manifest: Manifest, traceParts: [String]? = nil
  ) throws(ReportingError) {
    let json: Data
    do {
      json = try manifest.json()
    } catch {
      throw ReportingError(
        .unwritable, path: path(of: Manifest.fileName), message: "cannot be encoded: \(error.localizedDescription)")
    }
    var files: [AtomicFile] = []
    for (name, csv) in tables {
      files.append(try AtomicFile(staging: Data(csv.text.utf8), for: path(of: name)))
    }
    if let traceParts {
      files.append(try TraceFile.stage(joining: traceParts, to: path(of: TraceFile.fileName)))
    }
    // Last, so that whoever finds a new manifest finds its tables as well.
    files.append(try AtomicFile(staging: json, for: path(of: Manifest.fileName)))
    for file in files {
      try file.commit()
    }
  }

  private static func rows<Row>(of summary: Summary, _ rows: KeyPath<TrialRecord, [Row]>) -> TopologyRows<Row>? {
    summary.shownTrial.map {
      TopologyRows(topology: $0.identity.topology, variant: $0.identity.variant, rows: $0[keyPath: rows])
    }
  }
}

// MARK: - Reading

extension ResultsFolder {
  /// - Throws: `ReportingError` with code `unreadable` or `malformed`; so do the others, and `newerSchema` the manifest's.
  package func trials() throws(ReportingError) -> [TrialRecord] {
    try TrialTable.trials(in: csv(TrialTable.fileName), path: path(of: TrialTable.fileName))
  }

  /// The trials of this or another version of the tool, as far as a comparison needs them.
  package func comparedTrials() throws(ReportingError) -> [TrialRecord] {
    try TrialTable.trials(
      in: csv(TrialTable.fileName), path: path(of: TrialTable.fileName), required: TrialTable.comparedColumns)
  }

  package func summaries() throws(ReportingError) -> [Summary] {
    try SummaryTable.summaries(in: csv(SummaryTable.fileName), path: path(of: SummaryTable.fileName))
  }

  /// Reads the summaries of this or another version of the tool, for the sake of an error in them.
  func checkSummaries() throws(ReportingError) {
    _ = try SummaryTable.summaries(
      in: csv(SummaryTable.fileName), path: path(of: SummaryTable.fileName),
      required: TrialTable.comparedColumns.filter { SummaryTable.header.contains($0) })
  }

  /// The trials on drawn devices, each with the number of its draw.
  package func draws() throws(ReportingError) -> [TrialRecord] {
    try DrawTable.draws(in: csv(DrawTable.fileName), path: path(of: DrawTable.fileName))
  }

  package func killed() throws(ReportingError) -> [KilledRecord] {
    try KilledTable.records(in: csv(KilledTable.fileName), path: path(of: KilledTable.fileName))
  }

  package func frames() throws(ReportingError) -> [TopologyRows<FrameRow>] {
    try FrameTable.topologies(in: csv(FrameTable.fileName), path: path(of: FrameTable.fileName))
  }

  package func stalls() throws(ReportingError) -> [TopologyRows<StallRow>] {
    try StallTable.topologies(in: csv(StallTable.fileName), path: path(of: StallTable.fileName))
  }

  package func manifest() throws(ReportingError) -> Manifest {
    try Manifest(json: data(Manifest.fileName), path: path(of: Manifest.fileName))
  }

  /// A table as text, whatever its columns.
  func csv(_ fileName: String) throws(ReportingError) -> CSV {
    try CSV(parsing: String(decoding: data(fileName), as: UTF8.self), path: path(of: fileName))
  }

  private func data(_ fileName: String) throws(ReportingError) -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path(of: fileName)))
    } catch {
      throw ReportingError(
        .unreadable, path: path(of: fileName), message: "cannot be read: \(AtomicFile.reason(of: error))")
    }
  }
}
