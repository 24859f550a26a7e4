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

  /// The warnings about trials that are missing or did not verify, one sentence each.
  var warnings: [String] {
    (found.complaints + [found.missing(from: nil)].compactMap(\.self)).map { "Warning: \($0)." }
  }

  /// The page of the sweep's table.
  private var page: SweepPage { found.page(reference: reference) }

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
      title: title, points: page, command: found.command, warnings: warnings,
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

extension StoredSweep: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .json, .csv, .markdown]

  package func pages(for format: OutputFormat) -> [Page] { [page.page] }

  package var notes: [String] { warnings }

  package func otherText(_ format: OutputFormat) -> String { found.csv.text }

  /// The JSON object of the sweep: stable member names, and one object for each trial.
  package var json: any Encodable {
    let flags = found.results[0].trial.varied.map(\.flag)
    return [
      "schema": 1, "output": WorkingFolder.absolutePath(path), "command": found.command, "flags": flags,
      "trials": SweepTable.members(of: found.csv, flags: flags),
    ] as JSONObject
  }
}
