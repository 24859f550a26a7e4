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

  /// The formats in which a run can be printed.
  package static let formats = RunFormat.allCases.map(\.rawValue)

  /// Returns the run in one of `formats`, as `run` printed it.
  ///
  /// - Throws: `RunFailure` with status 64 for a file that is missing or damaged.
  package func text(format: String, style: TextStyle) throws -> String {
    let folder = ResultsFolder(path: path)
    let isKilled = FileManager.default.fileExists(atPath: folder.path(of: KilledTable.fileName))
    do {
      return isKilled
        ? try text(ofKilled: try folder.killed(), format: format)
        : try text(of: try result(), format: format, style: style)
    } catch let error as FileError {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
  }

  private var absolutePath: String { WorkingFolder.absolutePath(path) }

  private func text(ofKilled records: [KilledRecord], format: String) throws -> String {
    switch RunFormat(rawValue: format) ?? .text {
    case .text: TerminalPage(KilledPage(records: records).page).text
    case .json: try JSONText.text(of: RunDocument(output: absolutePath, killed: records))
    case .csv: KilledTable.csv(records).text
    case .markdown: MarkdownPage(KilledPage(records: records).page).text
    }
  }

  private func result() throws -> ReportedResult {
    var result = try ReportedResult(try FolderComparison.result(path, words: words), folder: path)
    if let reference {
      result.manifest.reference = try reference.name(among: result.trials.map(\.identity.name), in: path)
    }
    return result
  }

  private func text(of result: ReportedResult, format: String, style: TextStyle) throws -> String {
    switch RunFormat(rawValue: format) ?? .text {
    case .text:
      TerminalPage(page(of: result), usesColour: style.usesColour, width: style.width).text
        + (missing(from: result).map { "\n\($0)\n" } ?? "")
    case .json:
      try JSONText.text(of: RunDocument(output: absolutePath, summaries: result.summaries, ratios: result.ratios))
    case .csv: SummaryTable.csv(result.summaries).text
    case .markdown: MarkdownPage(page(of: result)).text + (missing(from: result).map { "\n\($0)\n" } ?? "")
    }
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
