import Foundation
import MachineCore
import Metrics
import OutputFiles

/// The results of one of the gate's runs, read strictly: a file that cannot be read is an error, and a readable file of
/// another form is a mismatch.
package struct GateResults: Sendable {
  package let manifest: Manifest
  package let summaries: [Summary]
  /// The trials on the device of the profile's values.
  package let trials: [TrialRecord]
  /// The trials on the devices that were drawn.
  package let draws: [TrialRecord]
  /// The differences between the form of the files and the form that this program writes.
  package let mismatches: [GateMismatch]

  package init(
    manifest: Manifest, summaries: [Summary], trials: [TrialRecord], draws: [TrialRecord] = [],
    mismatches: [GateMismatch] = []
  ) {
    self.manifest = manifest
    self.summaries = summaries
    self.trials = trials
    self.draws = draws
    self.mismatches = mismatches
  }

  /// The trials whose means are compared: the draws, or the trials of a run without draws.
  package var samples: [TrialRecord] { draws.isEmpty ? trials : draws }

  /// The names of the stacks, in the order of the summaries.
  package var stackNames: [String] { summaries.map(\.identity.name) }

  /// Returns these results with the draws of another look at the same run added.
  package func adding(_ other: GateResults) -> GateResults {
    GateResults(
      manifest: manifest, summaries: summaries, trials: trials, draws: draws + other.draws, mismatches: mismatches)
  }

  /// The names of the files that a run's results consist of. A run without draws has no file of draws.
  package static let fileNames = [
    SummaryTable.fileName, TrialTable.fileName, DrawTable.fileName, Manifest.fileName,
  ]

  /// Returns true if the folder holds no file of a run's results, so that there is no baseline to compare with. This is
  /// not an error.
  package static func isMissing(from folder: ResultsFolder) -> Bool {
    !fileNames.contains { FileManager.default.fileExists(atPath: folder.path(of: $0)) }
  }
}

// MARK: - Reading

extension GateResults {
  /// Reads the results of a run.
  ///
  /// - Throws: `FileError` with code `unreadable` for a file that is missing, `malformed` for a file that is
  ///   damaged (naming the line), and `newerSchema` for results of a newer version of this program.
  package init(reading folder: ResultsFolder) throws(FileError) {
    // The manifest is read first: if a newer version wrote it, other files may have changed in unknown ways.
    manifest = try folder.manifest()
    let summaryTable = try folder.csv(SummaryTable.fileName)
    let trialTable = try folder.csv(TrialTable.fileName)
    mismatches =
      Self.mismatches(
        summaryTable.header, written: SummaryTable.header, required: SummaryTable.requiredColumns,
        path: folder.path(of: SummaryTable.fileName))
      + Self.mismatches(
        trialTable.header, written: TrialTable.header, required: TrialTable.requiredColumns,
        path: folder.path(of: TrialTable.fileName))
    guard mismatches.isEmpty else {
      summaries = []
      trials = []
      draws = []
      return
    }
    summaries = try SummaryTable.summaries(in: summaryTable, path: folder.path(of: SummaryTable.fileName))
    let records = try TrialTable.trials(in: trialTable, path: folder.path(of: TrialTable.fileName))
    trials = records.map(manifest.completed)
    let hasDraws = FileManager.default.fileExists(atPath: folder.path(of: DrawTable.fileName))
    draws = hasDraws ? try folder.draws().map(manifest.completed) : []
    try Self.checkNames(summaries.map(\.identity.name), in: folder.path(of: SummaryTable.fileName))
  }

  private static func mismatches(
    _ found: [String], written: [String], required: [String], path: String
  ) -> [GateMismatch] {
    let missing = required.filter { !found.contains($0) }
    let foreign = found.filter { !written.contains($0) }
    let messages =
      named(missing).map { "no \($0), which this version writes" }
      + named(foreign).map { "\(foreign.count > largestLineCount ? "" : "a ")\($0), which this version does not write" }
    return messages.map { GateMismatch(.schema, "\(path):1: \($0)") }
  }

  /// The largest number of columns that are listed in separate lines.
  private static let largestLineCount = 4

  /// Returns a text for each column, or one text for all columns if there are more than `largestLineCount`.
  private static func named(_ columns: [String]) -> [String] {
    guard columns.count > largestLineCount else { return columns.map { "column \(QuotedText.of($0))" } }
    let names = columns.prefix(largestLineCount - 1).map { QuotedText.of($0) }.joined(separator: ", ")
    return ["columns \(names) and \(columns.count - largestLineCount + 1) more"]
  }

  private static func checkNames(_ names: [String], in path: String) throws(FileError) {
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw FileError(.malformed, path: path, line: index + 2, message: "\(name) appears twice")
    }
  }
}

extension Manifest {
  /// Returns a trial with the measures that only the manifest contains.
  fileprivate func completed(_ record: TrialRecord) -> TrialRecord {
    var record = record
    let identity = record.identity
    let draw = record.simulation?.draw
    record.measures.mainStatementsCount =
      simulatedTrials?.first {
        $0.topology == identity.topology && $0.variant == identity.variant && $0.draw == draw
          && (draw != nil || $0.trial == identity.trial)
      }?.mainStatementsCount
      ?? noise.first {
        $0.topology == identity.topology && $0.variant == identity.variant && $0.trial == identity.trial
      }?.mainStatementsCount
    return record
  }
}
