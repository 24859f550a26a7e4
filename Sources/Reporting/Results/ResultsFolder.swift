import Foundation
import Metrics
import OutputFiles

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
  /// The names of the files that a run may write, and of further files that are added to its folder later.
  package static let fileNames: Set<String> = [
    Manifest.fileName, TrialTable.fileName, SummaryTable.fileName, FrameTable.fileName, StallTable.fileName,
    DrawTable.fileName, KilledTable.fileName, traceFileName, reportFileName, ResultOrigin.fileName,
  ]

  /// The name of the page that `stackbench report` adds.
  package static let reportFileName = "report.html"

  /// The name of the trace of a whole run, which Perfetto opens.
  private static let traceFileName = "trace.json"

  /// The outcome of writing a result.
  package struct Written: Sendable {
    /// The folder in which the earlier result is kept, or nil if no result is kept.
    package var moved: String?
    /// The lock on the folder that holds the result.
    package var lock: FileLock
  }

  /// Creates the folder, and checks before a long run that files can be written there.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  package func prepare() throws(FileError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw FileError(writing: path, what: "cannot be made", FileReason.code(of: error) ?? EIO)
    }
    _ = try AtomicFile(staging: Data(), for: path(of: "probe"))
  }

  /// Writes all files of a run at once, replacing the files of an earlier run. Those stay if any new file cannot be
  /// written.
  ///
  /// - Parameters:
  ///   - trials: The trials of the run.
  ///   - draws: The trials on devices drawn from the profile's ranges; if there are no draws, `draws.csv` is not
  ///     written.
  ///   - manifest: The circumstances of the run.
  ///   - trace: A function that writes the trace to the path that it receives, or nil if no trace is written.
  ///   - earlier: The files that the new ones replace, or nil if the files of an earlier run are removed.
  /// - Returns: The folder in which the earlier result is kept, and the lock on the new one.
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`, or any error of `trace`.
  @discardableResult
  package func write(
    _ trials: [TrialRecord], draws: [TrialRecord] = [], manifest: Manifest,
    trace: ((_ path: String) throws(FileError) -> Void)? = nil, replacing earlier: EarlierFiles? = nil
  ) throws(FileError) -> Written {
    let summaries = Summary.summaries(of: trials, draws: draws)
    var tables = [
      (TrialTable.fileName, TrialTable.csv(trials)),
      (SummaryTable.fileName, SummaryTable.csv(summaries)),
      (FrameTable.fileName, FrameTable.csv(summaries.compactMap { Self.rows(of: $0, \.frames) })),
      (StallTable.fileName, StallTable.csv(summaries.compactMap { Self.rows(of: $0, \.stalls) })),
    ]
    if !draws.isEmpty { tables.append((DrawTable.fileName, DrawTable.csv(draws))) }
    return try write(tables, manifest: manifest, trace: trace, replacing: earlier)
  }

  /// Writes the files of a run whose apps were killed, replacing all files of an earlier run.
  ///
  /// - Throws: `FileError` with code `unwritable` or `fullDisk`.
  @discardableResult
  package func write(
    _ killed: [KilledRecord], manifest: Manifest, replacing earlier: EarlierFiles? = nil
  ) throws(FileError) -> Written {
    try write([(KilledTable.fileName, KilledTable.csv(killed))], manifest: manifest, replacing: earlier)
  }

  private func write(
    _ tables: [(name: String, csv: CSV)], manifest: Manifest,
    trace: ((_ path: String) throws(FileError) -> Void)? = nil, replacing earlier: EarlierFiles?
  ) throws(FileError) -> Written {
    let json: Data
    do {
      json = try manifest.json()
    } catch {
      throw FileError(
        .unwritable, path: path(of: Manifest.fileName), message: "cannot be encoded: \(error.localizedDescription)")
    }
    try prepare()
    let staged = try StagedFolder(for: path)
    let folder = ResultsFolder(path: staged.path)
    do throws(FileError) {
      for (name, csv) in tables { try AtomicFile.write(Data(csv.text.utf8), to: folder.path(of: name)) }
      try trace?(folder.path(of: Self.traceFileName))
      try AtomicFile.write(json, to: folder.path(of: Manifest.fileName))
    } catch {
      // Messages use the folder's name instead of the hidden one.
      guard error.path.hasPrefix(staged.path) else { throw error }
      throw FileError(
        error.code, path: path + error.path.dropFirst(staged.path.count), line: error.line, message: error.message)
    }
    let moved = try staged.commit(replacing: earlier ?? Self.earlierRun)
    return Written(moved: moved, lock: staged.lock)
  }

  /// The files of an earlier run, which are removed.
  package static let earlierRun = EarlierFiles(isReplaced: fileNames.contains, marks: [Manifest.fileName])

  private static func rows<Row>(of summary: Summary, _ rows: KeyPath<TrialRecord, [Row]>) -> TopologyRows<Row>? {
    summary.shownTrial.map {
      TopologyRows(topology: $0.identity.topology, variant: $0.identity.variant, rows: $0[keyPath: rows])
    }
  }
}

// MARK: - Reading

extension ResultsFolder {
  /// Reads the trials.
  ///
  /// - Throws: `FileError` with code `unreadable` or `malformed`. The other methods that read throw the same
  ///   codes, and `manifest()` also `newerSchema`.
  package func trials() throws(FileError) -> [TrialRecord] {
    try TrialTable.trials(in: csv(TrialTable.fileName), path: path(of: TrialTable.fileName))
  }

  /// Reads the trials that this or another version of the tool wrote, as far as a comparison needs them.
  package func comparedTrials() throws(FileError) -> [TrialRecord] {
    try TrialTable.trials(
      in: csv(TrialTable.fileName), path: path(of: TrialTable.fileName), required: TrialTable.comparedColumns)
  }

  package func summaries() throws(FileError) -> [Summary] {
    try SummaryTable.summaries(in: csv(SummaryTable.fileName), path: path(of: SummaryTable.fileName))
  }

  /// Reads the summaries that this or another version of the tool wrote, only to find errors in them.
  func checkSummaries() throws(FileError) {
    _ = try SummaryTable.summaries(
      in: csv(SummaryTable.fileName), path: path(of: SummaryTable.fileName),
      required: TrialTable.comparedColumns.filter { SummaryTable.header.contains($0) })
  }

  /// Reads the trials on drawn devices, each with the number of its draw.
  package func draws() throws(FileError) -> [TrialRecord] {
    try DrawTable.draws(in: csv(DrawTable.fileName), path: path(of: DrawTable.fileName))
  }

  package func killed() throws(FileError) -> [KilledRecord] {
    try KilledTable.records(in: csv(KilledTable.fileName), path: path(of: KilledTable.fileName))
  }

  package func frames() throws(FileError) -> [TopologyRows<FrameRow>] {
    try FrameTable.topologies(in: csv(FrameTable.fileName), path: path(of: FrameTable.fileName))
  }

  package func stalls() throws(FileError) -> [TopologyRows<StallRow>] {
    try StallTable.topologies(in: csv(StallTable.fileName), path: path(of: StallTable.fileName))
  }

  package func manifest() throws(FileError) -> Manifest {
    try Manifest(json: data(Manifest.fileName), path: path(of: Manifest.fileName))
  }

  /// Reads a table with any columns.
  func csv(_ fileName: String) throws(FileError) -> CSV {
    try CSV(parsing: String(decoding: data(fileName), as: UTF8.self), path: path(of: fileName))
  }

  private func data(_ fileName: String) throws(FileError) -> Data {
    var status = stat()
    if stat(path(of: fileName), &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw FileError(.unreadable, path: path(of: fileName), message: "cannot be read: it is not a regular file")
    }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path(of: fileName)))
    } catch {
      throw FileError(
        .unreadable, path: path(of: fileName), message: "cannot be read: \(FileReason.text(of: error, at: path))")
    }
  }
}
