import Foundation
import Metrics

/// The results of one of the gate's runs, read strictly: what cannot be read is an error, what can be read and is of
/// another kind is a mismatch.
package struct GateResults: Sendable {
  package let manifest: Manifest
  package let summaries: [Summary]
  package let trials: [TrialIdentity]
  /// In what the files themselves are not what this program writes.
  package let mismatches: [GateMismatch]

  package init(
    manifest: Manifest, summaries: [Summary], trials: [TrialIdentity], mismatches: [GateMismatch] = []
  ) {
    self.manifest = manifest
    self.summaries = summaries
    self.trials = trials
    self.mismatches = mismatches
  }

  /// The files that a run's results consist of.
  package static let fileNames = [SummaryTable.fileName, TrialTable.fileName, Manifest.fileName]

  /// Whether the folder holds none of a run's files: there is nothing to compare with, which is no damage.
  package static func isMissing(from folder: ResultsFolder) -> Bool {
    !fileNames.contains { FileManager.default.fileExists(atPath: folder.path(of: $0)) }
  }
}

// MARK: - Reading

extension GateResults {
  /// - Throws: `ReportingError` with code `unreadable` for a file that is missing, `malformed` for one that is damaged
  ///   (naming the line), `otherSchema` for one of a newer version of this program.
  package init(reading folder: ResultsFolder) throws(ReportingError) {
    // First: what else a newer version has changed, nobody here can know.
    manifest = try folder.manifest()
    let summaryTable = try folder.csv(SummaryTable.fileName)
    let trialTable = try folder.csv(TrialTable.fileName)
    mismatches =
      Self.mismatches(
        summaryTable.header, SummaryTable.header, required: SummaryTable.requiredColumns,
        folder.path(of: SummaryTable.fileName))
      + Self.mismatches(
        trialTable.header, TrialTable.header, required: TrialTable.requiredColumns,
        folder.path(of: TrialTable.fileName))
    guard mismatches.isEmpty else {
      summaries = []
      trials = []
      return
    }
    summaries = try SummaryTable.summaries(in: summaryTable, path: folder.path(of: SummaryTable.fileName))
    let records = try TrialTable.trials(in: trialTable, path: folder.path(of: TrialTable.fileName))
    trials = records.map(\.identity)
    try Self.checkSigns(summaries.map(\.measures), in: folder.path(of: SummaryTable.fileName))
    try Self.checkSigns(records.map(\.measures), in: folder.path(of: TrialTable.fileName))
    try Self.checkNames(summaries.map(\.identity.name), in: folder.path(of: SummaryTable.fileName))
  }

  private static func mismatches(
    _ found: [String], _ written: [String], required: [String], _ path: String
  ) -> [GateMismatch] {
    let missing = required.filter { !found.contains($0) }
    let foreign = found.filter { !written.contains($0) }
    return missing.map { GateMismatch(.schema, "\(path):1: no column \($0), which this version writes") }
      + foreign.map { GateMismatch(.schema, "\(path):1: a column \($0), which this version does not write") }
  }

  /// Nothing that is measured can be negative.
  private static func checkSigns(_ rows: [TrialMeasures], in path: String) throws(ReportingError) {
    for (index, row) in rows.enumerated() {
      for measure in Measure.all {
        guard let value = row[keyPath: measure.keyPath], value < 0 else { continue }
        throw ReportingError(
          .malformed, path: path, line: index + 2, message: "\(measure.name) is negative: \(value)")
      }
    }
  }

  private static func checkNames(_ names: [String], in path: String) throws(ReportingError) {
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw ReportingError(.malformed, path: path, line: index + 2, message: "\(name) is there twice")
    }
  }
}
