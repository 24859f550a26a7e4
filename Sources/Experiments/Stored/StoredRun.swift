import Foundation
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// A run whose results are stored in a folder.
package struct StoredRun: Sendable {
  /// The path of the folder as it was given.
  let path: String
  /// The words of the command line that sentences on the run use.
  let words: CommandWords
  /// The stack with which the others are compared, or nil for the reference of the run.
  let reference: ReferenceStack?

  package init(path: String, words: CommandWords, reference: ReferenceStack? = nil) {
    self.path = path
    self.words = words
    self.reference = reference
  }

  /// Returns the run as `run` printed it.
  ///
  /// - Throws: `RunFailure` with status 64 for a file that is missing or damaged.
  package func printed() throws -> PrintedRun {
    let folder = ResultsFolder(path: path)
    let isKilled = FileManager.default.fileExists(atPath: folder.path(of: KilledTable.fileName))
    let output = WorkingFolder.absolutePath(path)
    do {
      guard !isKilled else { return PrintedRun(killed: try folder.killed(), output: output) }
      let result = try result()
      return PrintedRun(
        page(of: result), output: output, summaries: result.summaries, ratios: result.ratios,
        notes: [missing(from: result)].compactMap(\.self))
    } catch let error as FileError {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
  }

  private func result() throws -> ReportedResult {
    var result = try ReportedResult(try FolderComparison.result(path, words: words), folder: path)
    if let reference {
      result.manifest.reference = try reference.name(among: result.trials.map(\.identity.name), in: path)
    }
    return result
  }

  private func page(of result: ReportedResult) -> Page {
    var summaries = result.summaries
    for index in summaries.indices {
      let own = result.stalls?.first { $0.name == summaries[index].identity.name }
      summaries[index].shownTrial?.stalls = own?.rows ?? []
      // The stalls are unknown if their file is missing.
      if result.stalls == nil { summaries[index].shownTrial = nil }
    }
    let measures = RunPage.printedMeasures
    return RunPage(
      summaries: summaries, manifest: result.manifest, hitchScale: result.hitchScale, words: words,
      separation: Separation(of: result.trials, by: measures),
      draws: result.draws.isEmpty ? nil : DrawBands(of: result.draws, values: summaries, by: measures),
      ratios: result.ratios
    ).page
  }

  /// Returns a sentence with the number of trials that have a result, or nil if all planned trials have one. It is also
  /// nil if the manifest does not contain the number of planned trials.
  private func missing(from result: ReportedResult) -> String? {
    let manifest = result.manifest
    guard let trials = manifest.count(of: .trials), manifest.flags[Manifest.SettingName.topology.rawValue] != nil else {
      return nil
    }
    let stacks = manifest.stackTitles.count
    // The product is in floating point, because a damaged manifest may have numbers whose product exceeds 64 bits.
    let planned = Double(stacks) * Double(trials + (manifest.count(of: .draws) ?? 0))
    let count = result.trials.count + result.draws.count
    return Double(count) < planned
      ? "Only \(count) of \(Int64(clampingRounded: planned)) trials have a result: the others failed, or the run was interrupted."
      : nil
  }
}
