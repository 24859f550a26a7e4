import CResources
import Foundation
import OutputFiles
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
    var tables: [String] { names(after: "# reads: ") }

    /// The file names of the tables that the script reads if the folder has them.
    var optionalTables: [String] { names(after: "# reads if there: ") }

    private func names(after start: String) -> [String] {
      let line = text.split(separator: "\n").first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? ""
      return line.split(separator: " ").map(String.init)
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
  ///   `FileError` if a table is damaged.
  package func draw(in scratch: ScratchFolder) async throws -> Drawn {
    var drawn = Drawn()
    let tables = try prepareTables(in: scratch)
    let gnuplot = ForeignProgram("gnuplot", scratch: scratch.path)
    let isInstalled = gnuplot.isInstalled
    if !isInstalled {
      drawn.complaints.append(
        "no charts: gnuplot is not installed; install it (Debian: apt-get install gnuplot-nox) and run this again")
    }
    for script in ReportCharts.scripts {
      let missing = missingTables(of: script)
      var drawing: ReportChart.Drawing
      var narrow: String?
      if !missing.isEmpty {
        drawing = .missing("Not drawn: the folder lacks \(missing.joined(separator: " and ")).")
      } else if isInstalled {
        let file = try await draw(
          script, as: "svg", with: gnuplot, tables: tables, in: scratch, complaints: &drawn.complaints)
        // The message of gnuplot names temporary files. It is not part of the page, so that the same folder always gives
        // the same page.
        drawing = file.map { .svg($0.text) } ?? .missing("Not drawn: gnuplot failed on these tables.")
        if file != nil {
          narrow = try await draw(
            script, as: "phone", with: gnuplot, tables: tables, in: scratch, complaints: &drawn.complaints)?.text
        }
      } else {
        drawing = .missing("Not drawn: gnuplot was not installed where this report was made.")
      }
      drawn.charts.append(ReportChart(name: script.name, drawing: drawing, narrow: narrow))
    }
    return drawn
  }

  /// Writes the charts whose tables the folder contains as files.
  ///
  /// - Parameters:
  ///   - target: The folder for the files.
  ///   - form: The format and the size of the charts.
  ///   - scratch: The folder in which gnuplot writes the drawings.
  /// - Returns: The number of charts, and the messages about charts that could not be drawn.
  /// - Throws: `RunFailure` with status 64 if no chart can be drawn or if a chart does not fit the size;
  ///   `CancellationError` if the task is cancelled; `FileError` if a table is damaged or a file cannot be written.
  package func write(
    to target: String, as form: ChartForm, in scratch: ScratchFolder
  ) async throws -> (count: Int, complaints: [String]) {
    let tables = try prepareTables(in: scratch)
    let gnuplot = try ForeignProgram.gnuplot(in: scratch)
    var files: [(path: String, data: Data)] = []
    var complaints: [String] = []
    for script in ReportCharts.scripts {
      let missing = missingTables(of: script)
      guard missing.isEmpty else {
        complaints.append(
          "\(script.name): not drawn: \(WorkingFolder.shown(folder)) has no \(missing.joined(separator: " "))")
        continue
      }
      let format = form.format.rawValue
      guard
        let data = try await draw(
          script, as: format, statements: form.statements, with: gnuplot, tables: tables, in: scratch,
          complaints: &complaints)
      else { throw RunFailure.usage(complaints.last ?? "\(script.name) cannot be drawn") }
      files.append(("\(target)/\(script.name).\(format)", data.data))
    }
    guard !files.isEmpty else { throw RunFailure.usage(complaints.joined(separator: "; ")) }
    for file in files { try AtomicFile.write(file.data, to: file.path) }
    return (files.count, complaints)
  }

  /// Writes the tables and the common script for gnuplot, and returns the folder with the tables.
  private func prepareTables(in scratch: ScratchFolder) throws -> String {
    try ReportCharts.writeCommonScript(to: scratch)
    let tables = try scratch.makeFolder("tables")
    try ChartTables.prepare(
      Set(ReportCharts.scripts.flatMap { $0.tables + $0.optionalTables }), of: folder, in: tables)
    return tables
  }

  private func missingTables(of script: Script) -> [String] {
    script.tables.filter { !FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
  }

  /// Writes the script that all charts load to `common/common.gp` in a scratch folder. The chart scripts expect it
  /// there, relative to their own folder.
  ///
  /// - Throws: `RunFailure` if the script cannot be written.
  static func writeCommonScript(to scratch: ScratchFolder) throws {
    let file = "\(try scratch.makeFolder("common"))/common.gp"
    try ScratchFolder.write(String(cString: resource("common.gp")), to: file)
  }

  /// A drawing that gnuplot wrote.
  private struct DrawnFile {
    let data: Data
    var text: String { String(decoding: data, as: UTF8.self) }
  }

  /// Draws a chart, or adds a complaint and returns nil.
  private func draw(
    _ script: Script, as format: String, statements: String = "", with gnuplot: ForeignProgram, tables: String,
    in scratch: ScratchFolder, complaints: inout [String]
  ) async throws -> DrawnFile? {
    let file = "\(scratch.path)/\(script.name).gp"
    try ScratchFolder.write(script.text, to: file)
    let ending = try await gnuplot.run(["-e", statements, "-c", file, tables, scratch.path, format, day])
    let name = script.name + (format == "phone" ? "\(ReportChart.narrowSuffix).svg" : ".\(format)")
    guard ending.status == 0, let data = FileManager.default.contents(atPath: "\(scratch.path)/\(name)") else {
      complaints.append("\(script.name) cannot be drawn: gnuplot: \(ending.complaint ?? "ended by itself")")
      return nil
    }
    return DrawnFile(data: data)
  }
}
