import CResources
import Foundation
import Glibc
import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// The charts of a sweep's table, one for each measure. Gnuplot draws them with a script that this module contains.
struct SweepCharts: Sendable {
  /// The measures whose charts are on the page of a sweep.
  static let shownMeasures = [
    Measure.hitchRatio, .framesDropped, .importTime, .stallP99, .mainBusy, .timeToVisibleP99, .editResponseP99,
  ].map(\.name)
  private static let rangesName = "ranges.csv"
  /// The charts that new ones replace.
  private static let earlier = EarlierFiles(isReplaced: { $0.hasSuffix(".svg") }, marks: [])
  private static let complaint = "the charts cannot be written: "

  /// The varied flags, which are the first columns of the table.
  let flags: [String]
  let rows: [SweepTable.Row]
  /// The day that is printed on the charts, as in `2026-07-29`, or nil if they show no day.
  let day: String?

  /// Draws an SVG file for each of `measures` and a narrow one for each measure that pages show. The new files replace
  /// existing charts.
  ///
  /// - Returns: A message for the user: the number of charts and their folder, or the reason why there are no charts.
  /// - Throws: `RunFailure` if gnuplot fails or a file cannot be written; `CancellationError`.
  func draw(_ measures: [String], to output: OutputFolder) async throws -> String {
    let scratch = try ScratchFolder(in: output.path)
    defer { scratch.remove() }
    try SweepCharts.settle(in: output.path)
    guard !measures.isEmpty else {
      SweepCharts.remove(from: output.path)
      return "No charts: the trials differ in no measure."
    }
    let gnuplot = ForeignProgram("gnuplot", scratch: scratch.path)
    guard gnuplot.isInstalled else {
      return "No charts: gnuplot is not installed; install it (Debian: apt-get install gnuplot-nox) and run this again."
    }
    let drawn = try scratch.makeFolder(SweepFiles.charts)
    let script = try prepareScript(in: scratch)
    try await draw(measures, as: "svg", with: gnuplot, script: script, to: drawn)
    let onPages = measures.filter(SweepCharts.shownMeasures.contains)
    try await draw(onPages, as: "phone", with: gnuplot, script: script, to: drawn)
    return try place(drawn, in: output.path, count: measures.count)
  }

  /// Writes a chart of each of `measures` as a file.
  ///
  /// - Throws: `RunFailure` with status 64 if there are no measures, if gnuplot is not installed or if a chart does not
  ///   fit the size; `CancellationError`; `FileError` if a file cannot be written.
  func write(_ measures: [String], to target: String, as form: ChartForm, in scratch: ScratchFolder) async throws {
    guard !measures.isEmpty else { throw RunFailure.usage("no charts: the trials differ in no measure") }
    let gnuplot = try ForeignProgram.gnuplot(in: scratch)
    let drawn = try scratch.makeFolder(SweepFiles.charts)
    do {
      try await draw(
        measures, as: form.format.rawValue, statements: form.statements, with: gnuplot,
        script: try prepareScript(in: scratch),
        to: drawn)
    } catch let failure as RunFailure where failure.kind == .failed && form.size != nil {
      throw RunFailure.usage("\(failure)")
    }
    for measure in measures {
      let name = "\(measure).\(form.format.rawValue)"
      guard let data = FileManager.default.contents(atPath: "\(drawn)/\(name)") else { continue }
      try AtomicFile.write(data, to: "\(target)/\(name)")
    }
  }

  /// Writes the table and the scripts for gnuplot, and returns the path of the script.
  private func prepareScript(in scratch: ScratchFolder) throws -> String {
    let folder = try scratch.makeFolder("sweep")
    let script = "\(folder)/sweep.gp"
    try ChartTables.write(SweepTable.csv(flags: flags, rows: rows), to: "\(folder)/\(SweepTable.fileName)")
    try ChartTables.write(
      SweepTable.ranges(flags: flags, rows: rows, repetitions: SweepCharts.seeds), to: "\(folder)/\(Self.rangesName)")
    try ScratchFolder.write(String(cString: resource("sweep.gp")), to: script)
    try ReportCharts.writeCommonScript(to: scratch)
    return script
  }

  /// Draws a chart of each measure into a folder.
  private func draw(
    _ measures: [String], as format: String, statements: String = "", with gnuplot: ForeignProgram, script: String,
    to folder: String
  ) async throws {
    let tables = URL(fileURLWithPath: script).deletingLastPathComponent().path
    let ending = try await gnuplot.run(
      [
        "-e", "chart_date = '\(day ?? "")'; are_drawn = \(areDrawn ? 1 : 0); \(statements)", "-c", script, tables,
        folder, "\(flags.count)",
        "\(horizontal + 1)",
        flags[horizontal],
        isNumeric(horizontal) ? "numeric" : "named", apart.map { "\($0 + 1)" }.joined(separator: " "),
        measures.joined(separator: " "), format,
      ])
    guard ending.status == 0 else {
      throw RunFailure.failed("the charts cannot be drawn: gnuplot: \(ending.complaint ?? "ended by itself")")
    }
  }

  /// Removes the charts of a sweep from a folder. Other files in the folder of the charts stay.
  static func remove(from path: String) {
    let folder = "\(path)/\(SweepFiles.charts)"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".svg") {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }

  /// Removes the charts that a killed command has left, and completes a replacement that it had begun.
  private static func settle(in path: String) throws {
    let folder = "\(path)/\(SweepFiles.charts)"
    mkdir(folder, S_IRWXU | S_IRWXG | S_IRWXO)
    defer { rmdir(folder) }
    do throws(FileError) {
      try StagedFolder.settle(folder) { _ in earlier }
    } catch {
      throw RunFailure.unexpected(error, complaint)
    }
  }

  /// Replaces the existing charts with those in the folder `drawn`, all at once.
  private func place(_ drawn: String, in path: String, count: Int) throws -> String {
    let folder = "\(path)/\(SweepFiles.charts)"
    mkdir(folder, S_IRWXU | S_IRWXG | S_IRWXO)
    do throws(FileError) {
      let staged = try StagedFolder(for: folder)
      for name in (try? FileManager.default.contentsOfDirectory(atPath: drawn))?.sorted() ?? [] {
        guard rename("\(drawn)/\(name)", "\(staged.path)/\(name)") == 0 else {
          throw FileError(writing: "\(folder)/\(name)", errno)
        }
      }
      _ = try staged.commit(replacing: Self.earlier)
    } catch {
      throw RunFailure.unexpected(error, Self.complaint)
    }
    return "\(count) charts, one for each measure that differs: \(WorkingFolder.shown(folder))"
  }
}

// MARK: - Axes

extension SweepCharts {
  /// The flags whose values are not amounts. Trials that differ only in their seeds are repetitions.
  private static let seeds: Set<String> = ["seed", "schedule-seed"]

  /// The index of the flag on the horizontal axis: the first flag whose values are all numbers, or else the first one
  /// other than the topology. Seeds do not count.
  private var horizontal: Int {
    let amounts = flags.indices.filter { !SweepCharts.seeds.contains(flags[$0]) }
    return amounts.first(where: isNumeric) ?? amounts.first { flags[$0] != "topology" } ?? 0
  }

  /// The indexes of the flags that distinguish lines in a chart, in addition to the topology, which has its own columns
  /// in the table.
  private var apart: [Int] {
    flags.indices.filter { $0 != horizontal && flags[$0] != "topology" && !SweepCharts.seeds.contains(flags[$0]) }
  }

  /// True if the trials are on devices drawn from the profile's ranges.
  private var areDrawn: Bool { rows.contains { $0.record.simulation?.draw != nil } }

  private func isNumeric(_ flag: Int) -> Bool {
    rows.allSatisfy { Double($0.values[flag])?.isFinite == true }
  }
}
