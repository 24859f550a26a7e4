import Foundation
import MachineCore
import Metrics

/// The results of one of the gate's runs, read strictly: what cannot be read is an error, what can be read and is of
/// another kind is a mismatch.
package struct GateResults: Sendable {
  package let manifest: Manifest
  package let summaries: [Summary]
  /// The trials on the device of the profile's values.
  package let trials: [TrialRecord]
  /// The trials on the devices that were drawn.
  package let draws: [TrialRecord]
  /// In what the files themselves are not what this program writes.
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

  /// The files that a run's results consist of; without draws the last is missing.
  package static let fileNames = [
    SummaryTable.fileName, TrialTable.fileName, DrawTable.fileName, Manifest.fileName,
  ]

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
      draws = []
      return
    }
    summaries = try SummaryTable.summaries(in: summaryTable, path: folder.path(of: SummaryTable.fileName))
    let records = try TrialTable.trials(in: trialTable, path: folder.path(of: TrialTable.fileName))
    trials = records
    let hasDraws = FileManager.default.fileExists(atPath: folder.path(of: DrawTable.fileName))
    draws = hasDraws ? try folder.draws() : []
    try Self.checkNames(summaries.map(\.identity.name), in: folder.path(of: SummaryTable.fileName))
  }

  private static func mismatches(
    _ found: [String], _ written: [String], required: [String], _ path: String
  ) -> [GateMismatch] {
    let missing = required.filter { !found.contains($0) }
    let foreign = found.filter { !written.contains($0) }
    let messages =
      named(missing).map { "no \($0), which this version writes" }
      + named(foreign).map { "\(foreign.count > largestLineCount ? "" : "a ")\($0), which this version does not write" }
    return messages.map { GateMismatch(.schema, "\(path):1: \($0)") }
  }

  /// The largest number of columns of which each has a line of its own.
  private static let largestLineCount = 4

  /// Returns the words for each column, or one text for all if there are many.
  private static func named(_ columns: [String]) -> [String] {
    guard columns.count > largestLineCount else { return columns.map { "column \(QuotedText.of($0))" } }
    let names = columns.prefix(largestLineCount - 1).map { QuotedText.of($0) }.joined(separator: ", ")
    return ["columns \(names) and \(columns.count - largestLineCount + 1) more"]
  }

  private static func checkNames(_ names: [String], in path: String) throws(ReportingError) {
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw ReportingError(.malformed, path: path, line: index + 2, message: "\(name) is there twice")
    }
  }
}
