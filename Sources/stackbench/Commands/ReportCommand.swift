import ArgumentParser
import CommandShell
import Experiments
import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench report`, which writes a run or a sweep as one HTML file.
struct ReportCommand: BlockingCommand {
  private static let standardFolder = "Results/latest"

  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a run as one HTML file: which stack to take, tables, charts, stalls, and its command.",
    discussion: """
      The file contains everything that it shows and makes no requests. It begins with the short answer of \
      'stackbench advise' for the stacks of the run, and the picture of the stack to take. The sections below it \
      are closed, and paper shows all of them. gnuplot draws the charts. A missing file or a missing gnuplot is \
      named in the place of what cannot be shown. The same folder gives the same bytes. The file of a sweep has \
      its table and charts.

      --charts writes the charts alone, and no page. The charts of a sweep are those of measures that differ.

      Status: 0 success, whatever the verdict; 64 bad usage, damaged input, or a file that cannot be written; 130 \
      interrupted, after cleaning up.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the results. (default: \(standardFolder))", valueName: "folder"),
    completion: .directory, transform: OptionValue.path)
  var folder = standardFolder

  @Option(
    help: ArgumentHelp(
      "The file to write. (default: \(ResultsFolder.reportFileName) in the folder)", valueName: "file.html"),
    completion: .file(extensions: ["html"]), transform: OptionValue.path)
  var output: String?

  @Option(folder: "Write the charts into this folder, and no page.")
  var charts: String?

  @Option(oneOf: formats, help: "The format of --charts: \(formats.joined(separator: " or ")). (default: svg)")
  var chartFormat: String?

  @Option(
    help: ArgumentHelp(
      "The size of --charts in pixels. (default: 1200 wide, and as high as needed)", valueName: "widthxheight"),
    transform: { try ChartForm.Size($0) })
  var chartSize: ChartForm.Size?

  @OptionGroup var reference: ReferenceFlags

  @Flag(help: "Print nothing but errors and what is missing.")
  var quiet = false

  private static let formats = ChartForm.Format.allCases.map(\.rawValue)

  func runBlocking() throws -> ExitStatus {
    let reference = try reference.stack()
    if let charts { return try writeCharts(to: charts) }
    if let flag = chartFormat.map({ "--chart-format \($0)" }) ?? chartSize.map({ "--chart-size \($0.text)" }) {
      throw RunFailure.usage("\(flag): concerns charts that are written as files; add --charts with a folder")
    }
    if StoredResult.kind(in: folder) == .sweep { return try reportSweep(reference) }
    var result = try result()
    if let reference {
      result.manifest.reference = try reference.name(among: result.trials.map(\.identity.name), in: folder)
    }
    let path = output ?? ResultsFolder(path: folder).path(of: ResultsFolder.reportFileName)
    try checkTarget(path)
    let charts = ReportCommand.charts(of: result, in: folder)
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let drawn = try Interruption.run {
      let scratch = try ScratchFolder(in: parent)
      defer { scratch.remove() }
      return try await charts.draw(in: scratch)
    }
    let (answer, taken) = StoredAnswer(of: result).answer(codeCommand: TopologiesCommand.codeCommand)
    let picture = taken.map { stack in
      ReportChart(name: ReportChart.stackName, drawing: .svg(StackPicture(stack.topologies[0]).text))
    }
    let report = RunReport(result: result, answer: answer, picture: picture, charts: drawn.charts)
    do throws(FileError) {
      try AtomicFile.write(Data(report.html.utf8), to: path)
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

  private func result() throws -> ReportedResult {
    var compared = try FolderComparison.result(folder, words: .standard)
    // A page that is sent to others does not contain the path of its folder.
    compared.title = WorkingFolder.lastPart(of: folder)
    do {
      return try ReportedResult(compared, folder: folder)
    } catch {
      throw RunFailure.usage("\(error); use a folder that 'stackbench run' wrote")
    }
  }

  private static func charts(of result: ReportedResult, in folder: String) -> ReportCharts {
    ReportCharts(
      folder: WorkingFolder.absolutePath(folder),
      day: String(result.manifest.startedAt.formatted(.iso8601).prefix("2026-07-29".count)))
  }

  /// Writes the charts of the run or the sweep as files.
  private func writeCharts(to path: String) throws -> ExitStatus {
    if output != nil { throw RunFailure.usage("--charts \(path): writes no page; leave --output out") }
    let form = ChartForm(format: chartFormat.flatMap(ChartForm.Format.init) ?? .svg, size: chartSize)
    let sweep = StoredResult.kind(in: folder) == .sweep ? try StoredSweep(path: folder) : nil
    let run = sweep == nil ? ReportCommand.charts(of: try result(), in: folder) : nil
    let target = try OutputFolder(WorkingFolder.absolutePath(path), flag: "--charts", sharing: .all)
    defer { target.removeIfUnused() }
    let written = try Interruption.run { () -> (count: Int, complaints: [String]) in
      let scratch = try ScratchFolder(in: target.path)
      defer { scratch.remove() }
      if let sweep { return (try await sweep.writeCharts(to: target.path, as: form, in: scratch), []) }
      return try await run?.write(to: target.path, as: form, in: scratch) ?? (0, [])
    }
    for complaint in written.complaints { StandardError.write(line: "warning: \(complaint)") }
    if !quiet { StandardOutput.write("\(written.count) charts: \(path)\n") }
    return .success
  }

  private func reportSweep(_ reference: ReferenceStack?) throws -> ExitStatus {
    let report = try StoredSweep(path: folder, reference: reference).report
    let path = output ?? ResultsFolder(path: folder).path(of: ResultsFolder.reportFileName)
    try checkTarget(path)
    do throws(FileError) {
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
    do throws(FileError) {
      AtomicFile.removeAbandoned(in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      _ = try AtomicFile(staging: Data(), for: path)
    } catch {
      throw ReportCommand.cannotWrite(error)
    }
  }

  private static func cannotWrite(_ error: FileError) -> RunFailure {
    .unwritable(error, after: "--output ", advice: "use a file in an existing folder that is writable")
  }
}
