import ArgumentParser
import CommandShell
import Experiments
import Foundation
import Harness
import OutputFiles
import Reporting
import TrialProcesses
import Workloads

/// The command `stackbench run`, which measures the stacks, writes the results and prints the table.
struct RunCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replays an import into each stack while a user interface ticks, and measures what its user feels.",
    discussion: """
      Each trial has a separate store, and each live trial a separate process. The output folder gets trials.csv, \
      summary.csv, frames.csv, stalls.csv and manifest.json, with --trace also trace.json, and if the app dies \
      only killed.csv and manifest.json. Standard output gets a table with the longest stalls.

      --format csv prints the text of summary.csv in place of the table, or of killed.csv if the app dies. --format json \
      prints one object: schema, output (the folder), failures[] (the lines of standard error), deterministic (null \
      without --check-determinism), stacks[] and killed[] (the rows of summary.csv and killed.csv), and ratios[] (the \
      figures of the other stacks in parts per million of those of --reference). A member of a row has the name of its column. It is a text for topology, variant, machine, profile, workload and store_digest, an integer \
      for other columns, and null if the field is empty. Members may be added; none changes its meaning.

      All files appear in the folder at once when the run has ended. If no trial has a result, the folder keeps its \
      earlier files. Files that do not belong to a result always stay. While a command writes to the folder, other \
      commands are refused.

      Status: 0 success; 1 a trial failed, its data did not verify, the disk is full, or another command writes to the \
      folder; 64 bad usage, damaged input, or a folder that cannot be written; 130 interrupted, with the trials that \
      have ended kept.
      """)

  @OptionGroup(title: "STACKS") var stacks: SettingFlags<StackSettings>
  @OptionGroup(title: "MACHINE") var machine: SettingFlags<MachineSettings>
  @OptionGroup(title: "WORKLOAD") var workload: SettingFlags<WorkloadSettings>
  @OptionGroup(title: "USER INTERFACE") var screens: SettingFlags<ScreenSettings>
  @OptionGroup(title: "CONTEXTS AND STORE") var store: SettingFlags<StoreSettings>
  @OptionGroup(title: "TRIALS") var trials: SettingFlags<TrialSettings>
  @OptionGroup(title: "RESULTS") var output: OutputFlags
  @OptionGroup(title: "RESULTS") var reference: ReferenceFlags
  @OptionGroup(title: "SETTINGS FILE") var settingsFile: SettingsFileFlags

  func runBlocking() throws -> ExitStatus {
    try settingsFile.use(with: request, isQuiet: output.quiet, accepting: { _ in true }, run)
  }

  private func run(_ given: RunRequest) throws -> ExitStatus {
    let reference = try reference.stack()
    let request = given.adding(reference)
    var experiment = try experiment(of: request)
    experiment.reference = request.reference(reference)
    try output.check(experiment.output)
    experiment.movesEarlierResult = !output.replace
    experiment.keepsEndedTrials = true
    let folder = try OutputFolder(experiment.output, flag: "--output", files: ResultsFolder.fileNames)
    let progress = ProgressLine(isQuiet: self.output.quiet)
    let turns = experiment.takesTurns ? StandardInputTurns() : nil
    let report = try Interruption.run { [experiment] in
      do {
        return try await ExperimentRun(experiment, output: folder, progress: progress, trialTurns: turns)
          .run(words: .standard)
      } catch {
        folder.removeIfUnused()
        throw error
      }
    }
    return try show(report, of: experiment, next: RunCommand.adviceCommand(after: request))
  }

  /// Returns the command that advises a stack for the question of a run. A stack that was run alone is the reference.
  private static func adviceCommand(after request: RunRequest) -> String {
    let stacks = request.topology ?? []
    let question = request.filtered { name in
      name != RunSettings.all.topology.name && SettingTable.standard[name]?.uses.contains(.advice) == true
    }
    guard stacks.distinctTopologies.count == 1, let stack = stacks.first else {
      return question.command("stackbench advise")
    }
    return question.command("stackbench advise --reference \(ShellWord.quoted(stack.word))")
  }

  /// Prints the outcome of a run and returns the exit status.
  ///
  /// - Throws: `RunFailure` if the run was interrupted or the results cannot be printed.
  private func show(_ report: ExperimentRun.Report, of experiment: Experiment, next: String) throws -> ExitStatus {
    var note = ResultNote(folder: try output.folder(), moved: report.moved)
    note.canBeReported = !report.results.records.isEmpty
    note.adviceCommand = note.canBeReported ? next : nil
    if let count = report.keptTrialCount {
      note.show(behindTable: false)
      for failure in report.failures { StandardError.write(line: "error: \(failure)") }
      throw RunFailure(
        .interrupted,
        "interrupted; \(count) of \(report.results.experiment.scheduledTrials.count) trials are kept in "
          + "\(note.folder)")
    }
    if !output.quiet { try StandardOutput.write(report.printed, as: output.format) }
    for remark in report.results.remarks {
      StandardError.write(line: "note: \(remark)\(more(remark, experiment: experiment))")
    }
    if output.format == .text, case .same(let line) = report.determinism { StandardOutput.write("\(line)\n") }
    note.show(behindTable: output.format == .text && !output.quiet)
    for failure in report.failures { StandardError.write(line: "error: \(failure)") }
    return report.failures.isEmpty ? .success : .failed
  }
}

extension RunCommand {
  /// Returns the end of a remark about an inferred model, which names the command that shows all of it.
  private func more(_ remark: String, experiment: Experiment) -> String {
    guard remark.hasPrefix(PrepareTask.inferredStart), case .feed(let path) = experiment.workload.workload else {
      return ""
    }
    return "; stackbench inspect \(ShellWord.quoted(path)) shows all"
  }
}

// MARK: - Meaning

extension RunCommand {
  /// The settings that the flags contain. If two groups have the same setting, the value of the later group counts.
  var request: RunRequest {
    [stacks.request, machine.request, workload.request, screens.request, store.request, trials.request]
      .reduce(RunRequest()) { $0.merging($1) }
  }

  /// Returns the run that the flags describe. It reads only the profile and makes no files.
  ///
  /// - Throws: `RunFailure` with status 64 for flags that contradict each other, and for a profile that cannot be read.
  func experiment() throws -> Experiment { try experiment(of: request) }

  private func experiment(of request: RunRequest) throws -> Experiment {
    var experiment = try request.experiment()
    experiment.output = WorkingFolder.absolutePath(try output.folder())
    experiment.scratchParent = output.scratch.map(WorkingFolder.absolutePath)
    return experiment
  }
}
