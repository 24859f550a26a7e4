import ArgumentParser
import CommandShell
import Experiments
import Foundation
import OutputFiles
import Reporting
import TrialProcesses

/// The command `stackbench sweep`, which runs every combination of some flags' values and writes the results as one
/// table.
struct SweepCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Runs every combination of the values of some flags, and writes one table and a chart for each measure.",
    usage: "stackbench sweep --vary <flag=v,v,…> ... [<options>] [<flags of run>]",
    discussion: """
      Any flag of 'stackbench run' can be varied. Other flags apply to every trial. A sweep is simulated on all \
      cores at once. With --machine live, its trials run one after another.

      The output folder gets sweep.csv (the varied flags, then the columns of trials.csv; a flag with the name \
      of a column is there twice), charts/*.svg of the measures that differ, if gnuplot is installed, plan.jsonl, \
      and a file such as \
      trial-000001.json for each trial that has ended. The same command continues an interrupted sweep. Standard \
      output gets a table with a row for each point and stack; 'stackbench show' prints it again.

      With --plan, nothing runs. The file gets a line for each trial, counted from 1, for many processes or \
      hosts:

        stackbench sweep --vary batch-size=100,500 --plan plan.jsonl
        seq 12 | parallel stackbench trial --plan plan.jsonl --index {}
        stackbench collect plan.jsonl

      Status: 0 success; 1 a trial failed, its data did not verify, the disk is full, or another command writes to the \
      folder; 64 bad usage, damaged input, or a folder that cannot be written; 130 interrupted, with what has ended kept.
      """)

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A flag of 'run' and its values; repeatable, the last one's values change fastest. topology=all is the six, and all+ their relatives too. "
        + "A comma inside a value has a backslash before it.", valueName: "flag=v,v,…"),
    completion: .list(VariedSetting.suggested.map { "\($0)=" }), transform: { try VariedSetting(argument: $0) })
  var vary: [VariedSetting] = []

  @Option(
    help: ArgumentHelp("Write the trials to this file, one JSON line each, and run nothing.", valueName: "file"),
    transform: OptionValue.path)
  var plan: String?

  @Flag(help: "Delete the sweep in the output folder and begin again.")
  var restart = false

  @Option(
    folder: "The folder of the results; made if it is missing. (default: Results/sweep- and the varied flags)",
    discussion: "Another result that it holds is moved into a folder beside it first, called after its day.")
  var output: String?

  @Option(
    folder: "The folder of the stores during the trials. Files made there are removed. (default: the output folder)")
  var scratch: String?

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  /// The settings that hold for every trial.
  @OptionGroup var runFlags: RunFlags<SweepSettings>

  @OptionGroup var reference: ReferenceFlags

  @OptionGroup var settingsFile: SettingsFileFlags

  func runBlocking() throws -> ExitStatus {
    let varied = vary.map(\.name)
    return try settingsFile.use(
      with: runFlags.request, isQuiet: quiet,
      accepting: { $0.uses.contains(.variation) && !varied.contains($0.name) }, run)
  }

  private func run(_ request: RunRequest) throws -> ExitStatus {
    guard !vary.isEmpty else {
      throw RunFailure.usage("--vary is missing; use it once or more, as in --vary batch-size=100,500,1000")
    }
    let plan: SweepPlan
    do {
      plan = try SweepPlan(varying: vary, common: request)
    } catch let error as VariationError {
      throw RunFailure.usage("--vary\(error.setting.map { " \($0)" } ?? ""): \(error.message)")
    }
    let reference = try reference.stack()?.name(among: plan.trials.map(\.topology), in: "the sweep")
    guard let file = self.plan else { return try run(plan, reference: reference) }
    AtomicFile.removeAbandoned(in: URL(fileURLWithPath: file).deletingLastPathComponent().path)
    try SweepFolder.write(plan, to: file)
    if !quiet, !AtomicFile.isStandardOutput(file) {
      StandardOutput.write("\(file): trials 1 to \(plan.trials.count)\n")
    }
    return .success
  }
}

// MARK: - Running

extension SweepCommand {
  private func run(_ plan: SweepPlan, reference: String?) throws -> ExitStatus {
    let given = self.output ?? "Results/sweep-\(vary.map(\.name).joined(separator: "-"))"
    let path = WorkingFolder.absolutePath(given)
    try StoredResult.checkThatItCanBeMoved(from: path, flag: "--output")
    let output = try OutputFolder(path, flag: "--output", files: SweepFolder.fileNames)
    let folder = SweepFolder(path: output.path)
    var note = ResultNote(folder: given, moved: try folder.take(plan, in: output, startsAnew: restart))
    note.reference = self.reference.reference
    let sweep = SweepRun(
      plan: plan, folder: folder, scratch: scratch.map(WorkingFolder.absolutePath),
      progress: ProgressLine(isQuiet: quiet))
    do {
      let ended = try Interruption.run { () -> (failures: [String], text: String?) in
        let failures = try await sweep.run(output)
        let results = try plan.trials.compactMap { try folder.result(of: $0) }
        guard !results.isEmpty else { return (failures, nil) }
        let found = try SweepResults(of: results, in: folder.path)
        let written = try await found.write(to: output)
        return (
          failures + found.complaints,
          TerminalPage(
            found.page(reference: reference ?? found.ownStack).page, usesColour: StandardOutput.showsColour,
            width: StandardOutput.width
          ).text + "\n"
            + written
        )
      }
      if !quiet, let text = ended.text { StandardOutput.write(text, keepsColours: StandardOutput.showsColour) }
      note.show(behindTable: !quiet && ended.text != nil)
      for failure in ended.failures { StandardError.write(line: "error: \(failure)") }
      return ended.failures.isEmpty ? .success : .failed
    } catch let failure as RunFailure where failure.kind.isLack {
      if try !plan.trials.contains(where: { try folder.result(of: $0) != nil }) {
        unlink(folder.planPath)
        output.removeIfUnused()
      }
      throw failure
    } catch let failure as RunFailure where failure.status == .interrupted {
      let done = try plan.trials.filter { try folder.result(of: $0) != nil }.count
      throw RunFailure(
        .interrupted,
        "interrupted; \(done) of \(plan.trials.count) trials are kept in \(given); the same command runs the rest"
      )
    }
  }
}
