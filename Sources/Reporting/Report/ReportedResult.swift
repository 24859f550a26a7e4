import Foundation
import Metrics
import OutputFiles

/// A run as its folder still shows it: a baseline keeps only some of the files, an older version wrote fewer columns.
package struct ReportedResult: Sendable {
  /// The folder, as the page names it.
  package var title: String
  package var manifest: Manifest
  /// The roles of the settings that the manifest records.
  package var roles: SettingRoles
  package var trials: [TrialRecord]
  /// The stalls of the median trials; nil where the file is missing.
  package var stalls: [TopologyRows<StallRow>]?
  /// The trials on devices drawn from the profile's ranges; empty if no device was drawn.
  package var draws: [TrialRecord]
  /// The names of the files that a run writes but the folder lacks.
  package var missingFiles: [String]

  package init(
    title: String, manifest: Manifest, roles: SettingRoles, trials: [TrialRecord],
    stalls: [TopologyRows<StallRow>]? = nil,
    draws: [TrialRecord] = [], missingFiles: [String] = []
  ) {
    self.title = title
    self.manifest = manifest
    self.roles = roles
    self.trials = trials
    self.stalls = stalls
    self.draws = draws
    self.missingFiles = missingFiles
  }

  /// Reads the other tables in the folder of `result`, which has the manifest and the trials.
  ///
  /// Every table in the folder is read, even if only charts show it, so that a damaged table is an error and not a
  /// missing chart.
  ///
  /// - Throws: `FileError` with code `unreadable` or `malformed`, naming the file and the line.
  package init(_ result: ComparedResult, folder path: String) throws(FileError) {
    let folder = ResultsFolder(path: path)
    let written = [SummaryTable.fileName, FrameTable.fileName, StallTable.fileName]
    let missing = written.filter { !FileManager.default.fileExists(atPath: folder.path(of: $0)) }
    self.init(
      title: result.title, manifest: result.manifest, roles: result.roles, trials: result.trials,
      missingFiles: missing)
    if !missing.contains(SummaryTable.fileName) { try folder.checkSummaries() }
    if !missing.contains(FrameTable.fileName) { _ = try folder.frames() }
    if !missing.contains(StallTable.fileName) { stalls = try folder.stalls() }
    if FileManager.default.fileExists(atPath: folder.path(of: DrawTable.fileName)) { draws = try folder.draws() }
  }

  /// One a stack: what `summary.csv` holds.
  package var summaries: [Summary] { Summary.summaries(of: trials, draws: draws) }

  /// The comparison of the other stacks with the reference of the run, or nil if there is none.
  package var ratios: StackRatios? {
    manifest.reference.flatMap { StackRatios(to: $0, of: trials + draws, by: RatioTable.measures) }
  }

  /// The one of Apple's scales that applies to the run: for a run that scrolls, the stricter one.
  package var hitchScale: HitchScale { HitchScale(ofRunWith: manifest) }

  /// Returns the stalls of a stack that are long enough to be hangs, or nil if the stalls are not known.
  func hangs(of identity: TrialIdentity) -> [StallRow]? {
    guard let stalls else { return nil }
    let own = stalls.first { $0.name == identity.name }
    return own?.rows.filter { $0.duration.nanoseconds >= HangLimit.hang } ?? []
  }
}
