import Foundation
import Reporting
import TrialProcesses

/// A sweep whose results are stored in a folder.
package struct StoredSweep: Sendable {
  /// The path of the folder as it was given.
  let path: String
  private let found: SweepResults
  /// The name of the stack with which the others are compared, or nil for the first that the user has described.
  private let reference: String?

  /// The formats in which a sweep can be printed.
  package static let formats = ["text", "json", "csv", "markdown"]

  /// Reads the results of a sweep's trials from the folder at `path`.
  ///
  /// - Throws: `RunFailure` with status 64 if the folder has no trial of a sweep, or a damaged one.
  package init(path: String, reference: ReferenceStack? = nil) throws {
    self.path = path
    let results = try SweepFolder(path: path).results()
    guard !results.isEmpty else {
      throw RunFailure.usage(
        "\(path): holds no trial of its sweep; use the folder that the trials' files lie in, or run the sweep again")
    }
    found = try SweepResults(of: results, in: path)
    self.reference = try reference?.name(among: results.map(\.record.identity.name), in: path) ?? found.ownStack
  }

  /// Returns the sweep in one of `formats`. Any other format gives text.
  package func text(format: String, style: TextStyle) throws -> String {
    switch format {
    case "csv": found.csv.text
    case "json":
      try JSONText.text(
        of: SweepDocument(
          output: WorkingFolder.absolutePath(path), command: found.command,
          flags: found.results[0].trial.varied.map(\.flag), csv: found.csv))
    default:
      (format == "markdown"
        ? MarkdownPage(found.page(reference: reference).page).text
        : TerminalPage(found.page(reference: reference).page, usesColour: style.usesColour, width: style.width).text)
        + (warnings.isEmpty ? "" : "\n" + warnings.map { $0 + "\n" }.joined())
    }
  }

  /// The warnings about trials that are missing or did not verify, one sentence each.
  var warnings: [String] {
    (found.complaints + [found.missing(from: nil)].compactMap(\.self)).map { "Warning: \($0)." }
  }

  /// The report of the sweep, with the charts from its folder.
  package var report: SweepReport {
    let charts = SweepCharts.shownMeasures.compactMap { name in
      drawing(name).map { svg in
        ReportChart(name: name, drawing: .svg(svg), narrow: drawing(name + ReportChart.narrowSuffix))
      }
    }
    let title = WorkingFolder.lastPart(of: path)
    let missing = ReportChart(
      name: "charts", drawing: .missing("Missing: \(title) has no charts; 'stackbench collect' draws them."))
    return SweepReport(
      title: title, points: found.page(reference: reference), command: found.command, warnings: warnings,
      charts: charts.isEmpty ? [missing] : charts)
  }

  /// Writes a chart of each measure that differs between the trials as a file.
  ///
  /// - Returns: The number of charts.
  /// - Throws: `RunFailure` with status 64 if no chart can be drawn, or if a chart does not fit the size;
  ///   `CancellationError`; `FileError` if a file cannot be written.
  package func writeCharts(to target: String, as form: ChartForm, in scratch: ScratchFolder) async throws -> Int {
    try await found.writeCharts(of: path, to: target, as: form, in: scratch)
  }

  /// Returns the SVG text of a chart in the folder, or nil if the folder does not have the chart.
  private func drawing(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(SweepFiles.charts)/\(name).svg")
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
