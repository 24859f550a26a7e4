import CResources
import Foundation
import Reporting
import TrialProcesses

/// The charts of a result folder, drawn by gnuplot with the scripts in `plots/`.
package struct ReportCharts: Sendable {
  /// The folder of the results. The path is absolute, since symbolic links in another folder refer to the tables in it.
  let folder: String
  /// The day on which the run began, in the form `2026-07-29`.
  let day: String

  package init(folder: String, day: String) {
    self.folder = folder
    self.day = day
  }

  /// The script of a chart. A line that begins with `# reads:` lists the tables that it needs.
  private struct Script: Sendable {
    let name: String

    var text: String { String(cString: resource("\(name).gp")) }

    /// The file names of the tables that the script needs.
    var tables: [String] {
      let lines = text.split(separator: "\n")
      let reads = lines.first { $0.hasPrefix("# reads: ") }?.dropFirst("# reads: ".count) ?? ""
      return reads.split(separator: " ").map(String.init)
    }
  }

  /// The scripts, in the order in which the page shows their charts.
  private static let scripts = ["percentiles", "main-queue", "import-vs-hitch", "lateness"].map(Script.init)

  /// All charts. A chart that could not be drawn has the reason in place of a drawing.
  package struct Drawn: Sendable {
    package var charts: [ReportChart] = []
    /// The messages to the user about charts that could not be drawn, one line each.
    package var complaints: [String] = []
  }

  /// Draws the charts whose tables the folder contains. No chart is drawn if gnuplot is not installed.
  ///
  /// - Parameter scratch: The folder in which gnuplot writes the drawings.
  /// - Returns: All charts in the order of the page, and the messages about charts that could not be drawn.
  /// - Throws: `CancellationError` if the task is cancelled; `RunFailure` if `scratch` cannot be written;
  ///   `ReportingError` if a table is damaged.
  package func draw(in scratch: ScratchFolder) async throws -> Drawn {
    var drawn = Drawn()
    try ReportCharts.writeCommonScript(to: scratch)
    let tables = try scratch.makeFolder("tables")
    try ChartTables.prepare(Set(ReportCharts.scripts.flatMap(\.tables)), of: folder, in: tables)
    let gnuplot = ForeignProgram("gnuplot", scratch: scratch.path)
    let isInstalled = gnuplot.isInstalled
    if !isInstalled {
      drawn.complaints.append(
        "no charts: gnuplot is not installed; install it (Debian: apt-get install gnuplot-nox) and run this again")
    }
    for script in ReportCharts.scripts {
      let missing = script.tables.filter { !FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
      var drawing: ReportChart.Drawing
      var narrow: String?
      if !missing.isEmpty {
        drawing = .missing("Not drawn: the folder lacks \(missing.joined(separator: " and ")).")
      } else if isInstalled {
        drawing = try await draw(script, as: "svg", with: gnuplot, tables, in: scratch, &drawn.complaints)
        if case .svg = drawing,
          case .svg(let svg) = try await draw(
            script, as: "phone", with: gnuplot, tables, in: scratch, &drawn.complaints)
        {
          narrow = svg
        }
      } else {
        drawing = .missing("Not drawn: gnuplot was not installed where this report was made.")
      }
      drawn.charts.append(ReportChart(name: script.name, drawing: drawing, narrow: narrow))
    }
    return drawn
  }

  /// Writes the script that all charts load to `common/common.gp` in a scratch folder. The chart scripts expect it
  /// there, relative to their own folder.
  ///
  /// - Throws: `RunFailure` if the script cannot be written.
  static func writeCommonScript(to scratch: ScratchFolder) throws {
    let file = "\(try scratch.makeFolder("common"))/common.gp"
    do {
      try Data(String(cString: resource("common.gp")).utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw RunFailure.unexpected(error, "\(file): cannot be written: ", in: scratch.path)
    }
  }

  private func draw(
    _ script: Script, as format: String, with gnuplot: ForeignProgram, _ tables: String, in scratch: ScratchFolder,
    _ complaints: inout [String]
  ) async throws -> ReportChart.Drawing {
    let file = "\(scratch.path)/\(script.name).gp"
    do {
      try Data(script.text.utf8).write(to: URL(fileURLWithPath: file))
    } catch {
      throw RunFailure.unexpected(error, "\(file): cannot be written: ", in: scratch.path)
    }
    let ending = try await gnuplot.run(["-c", file, tables, scratch.path, format, day])
    guard ending.status == 0,
      let svg = FileManager.default.contents(
        atPath: "\(scratch.path)/\(script.name)\(format == "svg" ? "" : ReportChart.narrowSuffix).svg")
    else {
      complaints.append("\(script.name) cannot be drawn: gnuplot: \(ending.complaint ?? "ended by itself")")
      // The message of gnuplot names temporary files. It is not part of the page, so that the same folder always gives
      // the same page.
      return .missing("Not drawn: gnuplot failed on these tables.")
    }
    return .svg(String(decoding: svg, as: UTF8.self))
  }
}
