import Foundation
import Harness
import Metrics
import OutputFiles
import Reporting
import Topologies
import TrialProcesses
import Workloads
import Yardstick

/// Runs an experiment: prepares the workload, probes the machine, runs the trials in turns and writes the results.
///
/// Work that takes time runs in child processes, so that an interrupt takes effect at once.
package struct ExperimentRun {
  let experiment: Experiment
  private let output: OutputFolder
  private let progress: any ProgressDisplay
  private let trialTurns: (any TrialTurns)?

  /// The time limit of a child process that prepares a workload, probes the machine or examines the store of a killed
  /// app.
  static let longestPreparation = Duration.seconds(3_600)

  /// Creates the run of an experiment, which `run(words:)` starts.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - output: A folder that is known to be writable.
  ///   - progress: The display that shows what the run is doing.
  ///   - trialTurns: The turns of the trials, or nil if the trials follow each other at once.
  package init(
    _ experiment: Experiment, output: OutputFolder, progress: any ProgressDisplay = NoProgressDisplay(),
    trialTurns: (any TrialTurns)? = nil
  ) {
    self.experiment = experiment
    self.output = output
    self.progress = progress
    self.trialTurns = trialTurns
  }

  /// The outcome of a run whose results have been written.
  package struct Report: Sendable {
    package var results: Results
    /// The failures, one line each. The run has failed if there are any.
    package var failures: [String]
    /// The outcome of the determinism check, or nil if the run had no such check or was interrupted.
    package var determinism: DeterminismCheck.Outcome?
    /// The path to which the earlier result in the output folder was moved, or nil if no result was moved.
    package var moved: String?
    /// The number of trials in the results of an interrupted run, or nil if the run was not interrupted.
    package var keptTrialCount: Int?

    /// The results as they are printed.
    package var printed: PrintedRun {
      results.printed(
        failures: failures, isDeterministic: determinism.map { if case .same = $0 { true } else { false } })
    }
  }

  /// Runs all trials, even after some have failed, and writes the results. All temporary files are removed.
  ///
  /// - Parameter words: The words of the command line that the results use.
  /// - Returns: The outcome, after the results have been written.
  /// - Throws: `RunFailure` if there are no results; `CancellationError` when interrupted, unless the results of trials
  ///   that have ended are kept.
  package func run(words: CommandWords) async throws -> Report {
    guard experiment.choosesTrialCount else { return try await runTrials(words) }
    progress.show("measuring the speed of this computer")
    let choice = TrialCount.choice { YardstickWork.measure() }
    var chosen = experiment
    chosen.choosesTrialCount = false
    chosen.trials = choice.trials
    chosen.trialChoice = choice
    return try await ExperimentRun(chosen, output: output, progress: progress, trialTurns: trialTurns)
      .runTrials(words)
  }

  private func runTrials(_ words: CommandWords) async throws -> Report {
    let scratch = try ScratchFolder(in: experiment.scratchParent ?? output.path)
    defer {
      progress.clear()
      scratch.remove()
    }
    let start = Date()
    let children = Children(scratch: scratch)
    // The workload is prepared first, so that a damaged feed is reported at once.
    let prepared = try await prepare(children)
    let probe = try await self.probe(children)
    let outcomes = try await outcomes(prepared, children: children)
    let isInterrupted = Task.isCancelled
    if !isInterrupted { try await checkExpectedRows(outcomes, prepared: prepared, children: children) }
    let trials = Trials(outcomes, of: experiment, isInterrupted: isInterrupted)
    if isInterrupted, !experiment.keepsEndedTrials || trials.isEmpty { throw CancellationError() }
    if trials.isEmpty { throw trials.failure }
    var known = experiment
    (known.workload, known.options) = (prepared.workload, prepared.options)
    var results = Results(
      experiment: known, words: words, probe: probe,
      fileSystem: try probe?.fileSystem.name ?? FileSystem(of: scratch.path).name, records: trials.measured,
      draws: trials.draws, killed: trials.killed, start: start, end: Date())
    results.remarks = prepared.remarks
    let moved = try results.write(to: output, traceParts: experiment.isTraced ? trials.traceParts : nil)
    var report = Report(
      results: results, failures: trials.failures + [results.disagreement].compactMap { $0 }, moved: moved,
      keptTrialCount: isInterrupted ? trials.count : nil)
    if experiment.checksDeterminism, !isInterrupted {
      progress.show("simulating all again")
      let outcome = try await DeterminismCheck(experiment, words: words, children: children).run(
        failures: report.failures)
      if case .different(let line) = outcome { report.failures.append(line) }
      report.determinism = outcome
    }
    return report
  }
}

// MARK: - One trial alone

extension ExperimentRun {
  /// Prepares the workload and runs one trial. It writes no results and removes all temporary files.
  ///
  /// - Parameters:
  ///   - scheduledTrial: The stack and the trial.
  ///   - core: The core of this computer for the threads of a simulation, or nil for the core on which the simulation
  ///     begins.
  /// - Returns: The outcome of the trial, which includes its failure.
  /// - Throws: `RunFailure` if the workload cannot be prepared or the disk is full; `CancellationError` when
  ///   interrupted.
  func runAlone(_ scheduledTrial: Experiment.ScheduledTrial, core: Int?) async throws -> TrialOutcome {
    let scratch = try ScratchFolder(in: experiment.scratchParent ?? output.path)
    defer { scratch.remove() }
    let children = Children(scratch: scratch)
    let prepared = try await prepare(children)
    let outcome = try await runTrial(scheduledTrial, number: 0, core: core, prepared: prepared, children: children)
    try await checkExpectedRows([outcome], prepared: prepared, children: children)
    return outcome
  }

  /// The outcome of one trial.
  struct TrialOutcome: Sendable {
    var record: TrialRecord?
    var killed: KilledRecord?
    var tracePart: String?
    var failure: String?
    /// The first thing that is wrong with the data, or nil if the data are right or were not checked.
    var problem: String?
  }
}

// MARK: - Steps

extension ExperimentRun {
  private func prepare(_ children: Children) async throws -> Prepared {
    progress.show("preparing the workload")
    let archive = try children.scratch.makeFolder("workload")
    let baseStore = try children.scratch.makeFolder("base") + "/store.sqlite"
    let plan = PrepareTask.Plan(
      workload: experiment.workload, isBatchSizeStandard: experiment.isBatchSizeStandard,
      isSaveEveryStandard: experiment.isSaveEveryStandard, options: experiment.options, archive: archive,
      baseStore: baseStore)
    do {
      let answer = try await children.answer(
        of: PrepareTask.self, to: plan, timeLimit: ExperimentRun.longestPreparation)
      return Prepared(
        workload: answer.workload, options: answer.options, archive: archive, baseStore: baseStore,
        remarks: answer.remarks)
    } catch let failure as RunFailure {
      throw failure.during("preparing the workload")
    }
  }

  /// Measures how quiet this computer is. Returns nil if the run skips the measurement, or for a simulation, which does
  /// not depend on it.
  private func probe(_ children: Children) async throws -> HostProbe? {
    guard experiment.simulation == nil, experiment.idleSeconds > 0 else { return nil }
    progress.show("measuring idle ticks for \(experiment.idleSeconds) s")
    let plan = ProbeTask.Plan(
      folder: children.scratch.path, seconds: experiment.idleSeconds, refreshRate: experiment.options.refreshRate)
    do {
      return try await children.answer(
        of: ProbeTask.self, to: plan,
        timeLimit: .seconds(experiment.idleSeconds) + ExperimentRun.longestPreparation)
    } catch let failure as RunFailure {
      throw failure.during("measuring idle ticks")
    }
  }

  /// Runs the trials and returns their outcomes in the order of the turns. After an interrupt, only trials that have
  /// ended have an outcome.
  ///
  /// - Throws: `RunFailure` if no more trials can run.
  private func outcomes(_ prepared: Prepared, children: Children) async throws -> [TrialOutcome] {
    var outcomes = [TrialOutcome?](repeating: nil, count: experiment.scheduledTrials.count)
    do {
      if let trialTurns {
        try await takeTurns(trialTurns, prepared: prepared, children: children, outcomes: &outcomes)
      } else {
        try await runTrials(prepared, children: children, outcomes: &outcomes)
      }
    } catch is CancellationError {
      // The caller uses the outcomes of the trials that have ended.
    }
    return outcomes.compactMap(\.self)
  }

  /// Runs all trials. Simulated trials run on all cores at once, live trials one after another.
  private func runTrials(
    _ prepared: Prepared, children: Children, outcomes: inout [TrialOutcome?]
  ) async throws {
    let scheduledTrials = experiment.scheduledTrials
    let timeLeft = TimeLeft(trials: scheduledTrials.count)
    let cores = AllowedCores.current
    let width = experiment.simulation == nil ? 1 : min(cores.count, scheduledTrials.count)
    func hostCore(_ place: Int) -> Int? {
      if let shift = experiment.hostCoreShift { return cores[(place + shift) % cores.count] }
      return width > 1 ? cores[place] : nil
    }
    let repeats = TrialRepeats(limit: experiment.repeatLimit, trialCount: scheduledTrials.count)
    let start = ContinuousClock.now
    /// Returns true if it is too late to begin the draw of a trial. It is never too late for the first draw.
    func isOver(_ scheduledTrial: Experiment.ScheduledTrial) -> Bool {
      guard let budget = experiment.drawBudget, let draw = scheduledTrial.draw, draw > experiment.firstDraw else {
        return false
      }
      return ContinuousClock.now - start > budget
    }
    try await withThrowingTaskGroup(of: (number: Int, core: Int, outcome: TrialOutcome).self) { group in
      var next = 0
      var done = 0
      func start(onCore core: Int) {
        guard next < scheduledTrials.count, !isOver(scheduledTrials[next]) else { return }
        let number = next
        next += 1
        let trial = scheduledTrials[number]
        let last = trial.draw == nil ? experiment.trials : experiment.firstDraw + experiment.draws - 1
        progress.show(
          "\(trial.title) of \(last); \(number + 1) of \(scheduledTrials.count)\(timeLeft.text(done: done))")
        group.addTask {
          let outcome = try await repeats.run(record: \TrialOutcome.record) {
            try await runTrial(
              scheduledTrials[number], number: number, core: hostCore(core), prepared: prepared, children: children)
          }
          return (number, core, outcome)
        }
      }
      for core in 0..<width { start(onCore: core) }
      while let ended = try await group.next() {
        outcomes[ended.number] = ended.outcome
        done += 1
        start(onCore: ended.core)
      }
    }
  }

  /// Runs each trial when its turn has come, until one fails.
  ///
  /// - Throws: `RunFailure` if the turns end before all trials have run; `CancellationError`.
  private func takeTurns(
    _ trialTurns: any TrialTurns, prepared: Prepared, children: Children, outcomes: inout [TrialOutcome?]
  ) async throws {
    let repeats = TrialRepeats(limit: experiment.repeatLimit, trialCount: experiment.scheduledTrials.count)
    for (number, scheduledTrial) in experiment.scheduledTrials.enumerated()
    where number == 0 || outcomes[number - 1]?.failure == nil && outcomes[number - 1] != nil {
      guard try await trialTurns.waitForTurn(of: scheduledTrial.title) else {
        try Task.checkCancellation()
        throw RunFailure.failed(
          "standard input ended before \(scheduledTrial.title); \(SettingFlag.of(\.takeTurns)) needs a line for each "
            + "trial"
        )
      }
      outcomes[number] = try await repeats.run(record: \TrialOutcome.record) {
        try await runTrial(scheduledTrial, number: number, core: nil, prepared: prepared, children: children)
      }
    }
  }

  /// Runs one trial and returns its outcome, which includes any failure other than a full disk.
  ///
  /// - Throws: `CancellationError` when interrupted; `RunFailure` if the disk is full, since other trials cannot run
  ///   either.
  func runTrial(
    _ scheduledTrial: Experiment.ScheduledTrial, number: Int, core: Int?, prepared: Prepared, children: Children
  ) async throws -> TrialOutcome {
    let scratch = try children.scratch.makeFolder("trial-\(number)")
    defer { children.scratch.removeFolder(scratch) }
    var simulation = experiment.simulation
    simulation?.draw = scheduledTrial.draw
    let trace =
      experiment.isTraced(scheduledTrial)
      ? TrialTask.Plan.Trace(path: "\(children.scratch.path)/trace-\(number).part", process: number + 1) : nil
    let plan = TrialTask.Plan(
      trial: TrialPlan(
        topology: scheduledTrial.topology, options: prepared.options, archive: prepared.archive,
        baseStore: prepared.baseStore, scratch: scratch, trial: scheduledTrial.trial, profile: simulation?.profile.name),
      simulation: simulation, hostCore: core, trace: trace)
    let fault = experiment.options.fileFault.map { SettingFlag.of(\.fileFault, value: $0) }
    do {
      if experiment.options.isKilled {
        return try await runKilledTrial(plan, of: scheduledTrial, children: children)
      }
      let answered = try await children.answer(
        of: TrialTask.self, to: plan, timeLimit: trialLimit)
      try Task.checkCancellation()
      let outcome = TrialOutcome(record: answered.record, tracePart: trace?.path)
      guard answered.record.measures.verified != 1 else { return outcome }
      let reason = answered.problems.summary.map { ": \($0)" } ?? ""
      return TrialOutcome(
        record: answered.record, tracePart: trace?.path,
        failure: "\(scheduledTrial.title): \(fault.map { "\($0): " } ?? "")its data did not verify\(reason)",
        problem: answered.problems.first)
    } catch let failure as RunFailure where !failure.kind.isLack {
      try Task.checkCancellation()
      guard let fault else { return TrialOutcome(failure: "\(scheduledTrial.title): \(failure.message)") }
      var message = "\(scheduledTrial.title): \(fault): \(failure.message)"
      if failure.kind == .failed, !experiment.options.isKilled {
        let left = try await storeLeft(by: plan.trial, children: children)
        message += "; \(left); leave \(fault) out to import to the end"
      }
      return TrialOutcome(failure: message)
    }
  }

  /// The wall time that a live trial may take, or nil for a simulated trial, whose child process limits its processor
  /// time itself.
  var trialLimit: Duration? {
    experiment.simulation == nil ? .nanoseconds(experiment.options.timeLimit.nanoseconds) : nil
  }

  /// The prepared workload, which every trial reads.
  struct Prepared {
    var workload: WorkloadOptions
    var options: RunOptions
    var archive: String
    var baseStore: String
    var remarks: [String]
  }

  private struct Trials {
    var measured: [TrialRecord]
    /// The records of trials on devices drawn from the profile's ranges. An interrupted run, and one with a limited
    /// time for draws, leaves out draws that lack a stack.
    var draws: [TrialRecord]
    /// The records of trials in which the app was killed. These trials have no other record.
    var killed: [KilledRecord]
    var traceParts: [String]
    var failures: [String]

    /// The number of trials that have a result.
    var count: Int { measured.count + draws.count + killed.count }
    var isEmpty: Bool { measured.isEmpty && killed.isEmpty }

    /// The failure of a run in which no trial has a result.
    var failure: RunFailure {
      let more = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
      return .failed("no trial succeeded, so no result was written: \(failures.first ?? "no trial ran")\(more)")
    }

    init(_ outcomes: [TrialOutcome], of experiment: Experiment, isInterrupted: Bool) {
      let records = outcomes.compactMap(\.record)
      measured = records.filter { $0.simulation?.draw == nil }
      draws = records.filter { $0.simulation?.draw != nil }
      if isInterrupted || experiment.drawBudget != nil {
        // A draw counts only if all stacks have run on its device.
        let counts = Dictionary(grouping: draws) { $0.simulation?.draw }.mapValues(\.count)
        draws.removeAll { counts[$0.simulation?.draw] != experiment.topologies.count }
      }
      killed = outcomes.compactMap(\.killed)
      traceParts = outcomes.compactMap(\.tracePart)
      failures = outcomes.compactMap(\.failure)
    }
  }
}
