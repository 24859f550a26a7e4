import ArgumentParser
import CommandShell
import Experiments
import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench collect`, which joins the results of a plan's trials.
struct CollectCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Joins the results of a sweep's trials into the table and the charts that the sweep would have written.",
    discussion: """
      The argument is the folder of the trials' files, or the plan if it lies in that folder. For a simulation, \
      sweep.csv has the same bytes wherever the trials ran. Missing rows are named, and the other rows are \
      written.

      Status: 0 success; 1 rows missing, or a trial's data did not verify; 64 bad usage, damaged input, or a folder \
      that cannot be written.
      """)

  @Argument(
    help: ArgumentHelp("The folder with the trials' files, or the plan beside them.", valueName: "dir|plan"),
    transform: OptionValue.path)
  var source: String

  @Option(folder: "The folder of sweep.csv and charts/; made if it is missing. (default: where the trials' files lie)")
  var output: String?

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func runBlocking() throws -> ExitStatus {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
      throw RunFailure.usage("\(source): does not exist; use a plan, or the folder that its trials wrote to")
    }
    let path = isFolder.boolValue ? source : URL(fileURLWithPath: source).deletingLastPathComponent().path
    let folder = SweepFolder(path: WorkingFolder.absolutePath(path))
    let plan = try plan(isFolder: isFolder.boolValue, folder)
    let results = try plan.map { plan in try plan.trials.compactMap { try folder.result(of: $0) } } ?? folder.results()
    if let plan, results.isEmpty {
      throw RunFailure.failed("\(plan.trials.count) of \(plan.trials.count) rows missing: no trial has run")
    }
    let found = try SweepResults(of: results, in: source)
    let output = try OutputFolder(
      output.map(WorkingFolder.absolutePath) ?? folder.path, flag: "--output", sharing: .single,
      files: [SweepTable.fileName])
    let text = try Interruption.run { try await found.write(to: output) }
    if !quiet { StandardOutput.write(text, keepsColours: StandardOutput.showsColour) }
    let failures = found.complaints + [found.missing(from: plan)].compactMap(\.self)
    for failure in failures { StandardError.write(line: "error: \(failure)") }
    return failures.isEmpty ? .success : .failed
  }

  /// Returns the plan that the command line names, or the plan in the folder that it names. It is nil if the folder has
  /// no plan, which it does not need, since each result contains its trial.
  private func plan(isFolder: Bool, _ folder: SweepFolder) throws -> SweepPlan? {
    if !isFolder { return try SweepPlan(file: source) }
    guard FileManager.default.fileExists(atPath: folder.planPath) else { return nil }
    return try SweepPlan(file: folder.planPath)
  }
}
