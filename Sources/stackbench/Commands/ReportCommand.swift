import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Reporting
import TrialProcesses

/// The command `stackbench report`, which writes a run or a sweep as one HTML file.
struct ReportCommand: BlockingCommand {
  private static let standardFolder = "Results/latest"

  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a run as one HTML file: verdict, tables, charts, stalls, and the command that repeats it.",
    discussion: """
      The file contains everything that it shows and makes no requests. The verdict ranks the stacks by hitches, \
      then by the other measures that a user feels, then by what the owner pays. A stack is unacceptable by \
      Apple's bands for hitches and hangs, or because its data is wrong. gnuplot draws the charts. A missing \
      file or a missing gnuplot is named in the place of what cannot be shown. The same folder gives the same \
      bytes. The file of a sweep has its table and charts.

      Status: 0 success, whatever the verdict; 64 bad usage, damaged input, or a file that cannot be written; 130 \
      interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the results. (default: \(standardFolder))", valueName: "folder"),
    completion: .directory, transform: OptionValue.path)
  var folder = standardFolder

  @Option(
    help: ArgumentHelp("The file to write. (default: \(RunReport.fileName) in the folder)", valueName: "file.html"),
    completion: .file(extensions: ["html"]), transform: OptionValue.path)
  var output: String?

  @Flag(help: "Print nothing but errors and what is missing.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    if StoredResult.kind(in: folder) == .sweep { return try reportSweep() }
    var compared = try FolderComparison.result(folder, words: .standard)
    // A page that is sent to others does not contain the path of its folder.
    compared.title = WorkingFolder.lastPart(of: folder)
    let result: ReportedResult
    do {
      result = try ReportedResult(compared, folder: folder)
    } catch {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
    let path = output ?? ResultsFolder(path: folder).path(of: RunReport.fileName)
    try checkTarget(path)
    let charts = ReportCharts(
      folder: WorkingFolder.absolutePath(folder),
      day: String(result.manifest.startedAt.formatted(.iso8601).prefix("2026-07-29".count)))
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let drawn = try Interruption.run {
      let scratch = try ScratchFolder(in: parent)
      defer { scratch.remove() }
      return try await charts.draw(in: scratch)
    }
    do throws(ReportingError) {
      try AtomicFile.write(Data(RunReport(result: result, charts: drawn.charts).html.utf8), to: path)
    } catch {
      throw ReportCommand.cannotWrite(error)
    }
    if !result.missingFiles.isEmpty {
      let files = result.missingFiles.joined(separator: " and no ")
      StandardError.write(line: "warning: \(folder) has no \(files); the report names the missing parts")
    }
    for complaint in drawn.complaints { StandardError.write(line: "warning: \(complaint)") }
    if !quiet, !AtomicFile.isStandardOutput(path) { StandardOutput.write("Report: \(path)\n") }
    return .success
  }

  private func reportSweep() throws -> ExitStatus {
    let report = try StoredSweep(path: folder).report
    let path = output ?? ResultsFolder(path: folder).path(of: RunReport.fileName)
    try checkTarget(path)
    do throws(ReportingError) {
      try AtomicFile.write(Data(report.html.utf8), to: path)
    } catch {
      throw ReportCommand.cannotWrite(error)
    }
    if !quiet, !AtomicFile.isStandardOutput(path) { StandardOutput.write("Report: \(path)\n") }
    return .success
  }

  /// Checks that the file can be written. It is called before charts are drawn.
  private func checkTarget(_ path: String) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw RunFailure.usage("--output \(path): is a folder; use the name of a file, as \(path)/report.html")
    }
    do throws(ReportingError) {
      AtomicFile.removeAbandoned(in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      _ = try AtomicFile(staging: Data(), for: path)
    } catch {
      throw ReportCommand.cannotWrite(error)
    }
  }

  private static func cannotWrite(_ error: ReportingError) -> RunFailure {
    .unwritable(error, after: "--output ", advice: "use a file in an existing folder that is writable")
  }
}
