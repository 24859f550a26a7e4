import ArgumentParser
import Foundation
import Harness
import Reporting

/// `stackbench run`: measures, writes the results, prints the table.
struct RunCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replays an import into each stack while a user interface ticks, and measures what its user feels.",
    discussion: """
      Each trial is a process of its own with a store of its own. The results are trials.csv, summary.csv, frames.csv, \
      stalls.csv and manifest.json in the output folder, and a table with the longest stalls on standard output; with \
      --trace also trace.json; with --kill-at, killed.csv and manifest.json.

      --format csv prints the text of summary.csv in place of the table, of killed.csv with --kill-at. --format json \
      prints one object: schema, output (the folder), failures[] (the lines of standard error), deterministic (null \
      without --check-determinism), stacks[] and killed[] (the rows of summary.csv and killed.csv; a member is called as \
      its column is and holds an integer, but for topology, variant, machine, profile, workload and store_digest; null \
      where the field is empty). Members may be added; none changes its meaning.

      All files appear in the folder at once, when the run has ended; if no trial has a result, what the folder holds \
      stays. Other files in the folder stay in any case. While a command writes there, another one is refused.

      Status: 0 success; 1 a trial failed, its data did not verify, the disk is full, or another command writes to the \
      folder; 64 bad usage, damaged input, or a folder that cannot be written; 130 interrupted, with the trials that \
      have ended kept.
      """)

  @OptionGroup(title: "STACKS") var topology: TopologyFlags
  @OptionGroup(title: "MACHINE") var machine: MachineFlags
  @OptionGroup(title: "WORKLOAD") var workload: WorkloadFlags
  @OptionGroup(title: "USER INTERFACE") var screens: ScreenFlags
  @OptionGroup(title: "CONTEXTS AND STORE") var store: StoreFlags
  @OptionGroup(title: "TRIALS") var trials: TrialFlags
  @OptionGroup(title: "RESULTS") var output: OutputFlags

  func runBlocking() throws -> ExitStatus {
    var experiment = try experiment()
    try output.check(experiment.output)
    experiment.movesEarlierResult = !output.replace
    experiment.keepsEndedTrials = true
    let interruption = Interruption()
    let folder = try OutputFolder(experiment.output, flag: "--output", files: ResultsFolder.fileNames)
    let report = try interruption.run { [experiment] in
      do {
        return try await ExperimentRun(experiment, output: folder).run()
      } catch {
        folder.removeIfUnused()
        throw error
      }
    }
    return try show(report, of: experiment)
  }

  /// Prints what a run found, and returns its status.
  private func show(_ report: ExperimentRun.Report, of experiment: Experiment) throws -> ExitStatus {
    let format = RunFormat(rawValue: output.format) ?? .text
    var note = ResultNote(folder: try output.folder(), moved: report.moved)
    note.canBeReported = !report.results.records.isEmpty
    if let count = report.keptTrialCount {
      note.show(behindTable: false)
      for failure in report.failures { StandardError.write(line: "error: \(failure)") }
      throw CommandFailure(
        .interrupted,
        "interrupted; \(count) of \(experiment.turns.count) trials are kept in "
          + "\(note.folder)")
    }
    if !experiment.isQuiet {
      let text = try format.text(of: report, usesColour: StandardOutput.showsColour)
      if format == .csv {
        StandardOutput.write(table: text)
      } else {
        StandardOutput.write(text, keepsColours: StandardOutput.showsColour)
      }
    }
    if format == .text, case .same(let line) = report.determinism { StandardOutput.write("\(line)\n") }
    note.show(behindTable: format == .text && !experiment.isQuiet)
    for failure in report.failures { StandardError.write(line: "error: \(failure)") }
    return report.failures.isEmpty ? .success : .failed
  }
}

// MARK: - Meaning

extension RunCommand {
  /// What the flags ask for; nothing has been read or made.
  ///
  /// - Throws: `CommandFailure` for values out of range and for flags that contradict each other.
  func experiment() throws -> Experiment {
    let topologies = try topology.topologies()
    let simulation = try machine.simulation(seed: trials.seed)
    let workloadOptions = try workload.workloadOptions(seed: trials.seed, machine: machine.kind)
    var options = simulation.map { RunOptions(simulating: $0.profile) } ?? RunOptions()
    try workload.apply(to: &options, workload: workloadOptions)
    screens.apply(to: &options)
    try store.apply(to: &options, of: topologies)
    try trials.apply(to: &options, machine: machine.kind)
    return Experiment(
      topologies: topologies, simulation: simulation, profileArgument: machine.device.profile,
      // A killed app is looked at as the profile says.
      draws: simulation == nil ? 0 : machine.draws ?? (options.killAt == nil ? MachineFlags.standardDraws : 0),
      checksDeterminism: machine.checkDeterminism, tracesLiveTrials: simulation == nil && machine.trace,
      workload: workloadOptions,
      isBatchSizeStandard: workload.batchSize == nil,
      isSaveEveryStandard: workload.saveEvery == nil, options: options,
      trials: trials.trialCount(machine: machine.kind), repeatLimit: trials.repeatLimit,
      idleSeconds: trials.idleSeconds,
      takesTurns: trials.takeTurns, output: RunCommand.absolutePath(try output.folder()),
      scratchParent: output.scratch.map(RunCommand.absolutePath), isQuiet: output.quiet)
  }

  private static func absolutePath(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
