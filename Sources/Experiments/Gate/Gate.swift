import Foundation
import Harness
import OutputFiles
import Reporting
import TrialProcesses
import Workloads

/// Simulates the gate's runs, and compares the results with the baseline or records them as the baseline.
package struct Gate: Sendable {
  /// A function that simulates one run, writes its results to a folder, and returns its failures, one line each.
  package typealias Simulate =
    @Sendable (_ experiment: Experiment, _ output: OutputFolder, _ progress: any ProgressDisplay) async throws ->
    [String]

  let baseline: GateBaseline
  let plan: GatePlan
  /// The folder of the fresh results, with a folder for each run.
  let output: OutputFolder
  /// The words of the command line that the results use.
  let words: CommandWords
  var progress: any ProgressDisplay
  /// The time after which a comparison begins no further draws, except the first of each run.
  var budget: Duration
  /// Changes of the device's costs, which show what the gate finds. The list is empty for the unchanged device.
  var costChanges: [GateCostChange]
  /// The function that simulates a run.
  var simulate: Simulate

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - baseline: The baseline.
  ///   - plan: The runs and the limits.
  ///   - output: The folder of the fresh results.
  ///   - words: The words of the command line that the results use.
  ///   - progress: The display that shows what the gate is doing.
  ///   - budget: The time after which a comparison begins no further draws.
  ///   - costChanges: Changes of the device's costs.
  ///   - simulate: The function that simulates a run, or nil for trials in child processes.
  package init(
    baseline: GateBaseline, plan: GatePlan, output: OutputFolder, words: CommandWords, progress: any ProgressDisplay,
    budget: Duration = Gate.standardBudget, costChanges: [GateCostChange] = [], simulate: Simulate? = nil
  ) {
    self.baseline = baseline
    self.plan = plan
    self.output = output
    self.words = words
    self.progress = progress
    self.budget = budget
    self.costChanges = costChanges
    self.simulate =
      simulate ?? { experiment, output, progress in
        try await ExperimentRun(experiment, output: output, progress: progress).run(words: words).failures
      }
  }

  package static let standardBudget = Duration.seconds(120)
  package static let quickBudget = Duration.seconds(10)
  /// The name of the folder within `output` that gets the results of additional simulations: the second look of a
  /// comparison, and the runs with changed costs of a recording.
  private static let furtherFolder = "further"

  /// The fresh results of one run.
  private struct Fresh {
    var run: GateRun
    /// The results, or nil if the run failed without results.
    var results: GateResults?
    var failures: [String]
  }
}

// MARK: - Comparing

extension Gate {
  /// Simulates the runs and compares them with the baseline.
  ///
  /// The first look simulates all runs on the first half of the baseline's draws. Some of the many measures always move
  /// by chance, so the runs in which a measure moved are simulated on the second half as well. A measure counts only if
  /// it moves in both looks.
  ///
  /// The method simulates no run if the manifests show that one of them cannot be compared.
  ///
  /// The limits of a run are judged on all draws of its first look, whatever the budget is. A run that the baseline does
  /// not have is held to its limits only, and so is a live run.
  ///
  /// - Throws: `RunFailure` if the baseline is missing or damaged, if a run cannot write its results, or if a limit is on
  ///   a measure that a run does not have; `CancellationError` if the task is cancelled.
  package func report() async throws -> GateOutcome {
    let before = try baseline.results(of: plan.runs)
    let noise = try baseline.noise(of: plan.runs)
    let unlike = try unlike(before)
    guard unlike.allSatisfy({ $0.mismatches.isEmpty }) else { return report(of: unlike, before) }
    let deadline = ContinuousClock.now + budget
    let fresh = try await simulateAll(plan.runs, draws: firstDraws, into: output.path, until: deadline)
    let looks = try zip(zip(before, noise), fresh).map { known, fresh in
      try comparison(of: fresh, again: nil, before: known.0, noise: known.1)
    }
    let suspected = zip(plan.runs, looks).filter { $1.hasMoved }.map(\.0)
    guard plan.draws > 0, !suspected.isEmpty, looks.allSatisfy({ $0.mismatches.isEmpty }) else {
      return report(of: looks, before)
    }
    let again = try await simulateAll(
      suspected, draws: secondDraws, into: "\(output.path)/\(Gate.furtherFolder)", until: deadline)
    return report(
      of: try zip(zip(before, noise), fresh).map { known, fresh in
        try comparison(of: fresh, again: again.first { $0.run == fresh.run }, before: known.0, noise: known.1)
      }, before)
  }

  private var firstDraws: Range<Int> { 1..<(1 + plan.draws) }
  private var secondDraws: Range<Int> { (1 + plan.draws)..<(1 + 2 * plan.draws) }

  private func comparison(
    of fresh: Fresh, again: Fresh?, before: GateResults?, noise: GateNoise
  ) throws -> GateComparison {
    let run = fresh.run
    if before == nil, run.limits.isEmpty { return missing(run) }
    let failures = fresh.failures + (again?.failures ?? [])
    let failed = GateComparison(run: run.name, mismatches: failures.map { GateMismatch(.unverified, $0) })
    guard let now = fresh.results, again == nil || again?.results != nil else { return failed }
    let comparison =
      before.map { before in
        GateComparison(
          of: run.name, flags: run.flagNames, roles: SettingTable.standard.roles(words),
          judged: GateRun.judgedSettings, before: before, now: now, again: again?.results,
          tolerances: run.tolerances ?? plan.tolerances, noise: noise, failures: failures)
      } ?? failed
    do throws(GateLimitError) {
      return try comparison.judging(run.limits, in: now)
    } catch {
      throw RunFailure.usage(
        "\(run.limitPlaces[error.limit.name] ?? run.name): \(error.limit.limit.measure.name) is not measured in this run of "
          + "\(error.stack); leave the limit out, or add what it measures to the settings")
    }
  }

  private func report(of comparisons: [GateComparison], _ before: [GateResults?]) -> GateOutcome {
    let foreign = baseline.foreignRuns(besides: plan.runs).map { name in
      GateComparison(
        run: name, mismatches: [GateMismatch(.run, "in the baseline, but not one of the gate's runs")])
    }
    let unrecorded = zip(plan.runs, before).filter { $1 == nil && !$0.limits.isEmpty && !$0.isLive }.map(\.0.name)
    return GateOutcome(baseline: baseline.path, comparisons: comparisons + foreign, unrecorded: unrecorded)
  }

  private func missing(_ run: GateRun) -> GateComparison {
    GateComparison(run: run.name, mismatches: [GateMismatch(.run, "one of the gate's runs, but not in the baseline")])
  }

  /// Returns a comparison for each run with the mismatches that the manifests alone show, before any run is simulated.
  private func unlike(_ before: [GateResults?]) throws -> [GateComparison] {
    try zip(plan.runs, before).map { run, before in
      guard let before else {
        return run.limits.isEmpty ? missing(run) : GateComparison(run: run.name, mismatches: [])
      }
      let experiment = try run.experiment(output: output.path, draws: firstDraws)
      // The manifest of a feed's run depends on the feed, which has not been read yet.
      guard !experiment.workload.workload.isFeed else { return GateComparison(run: run.name, mismatches: []) }
      let manifest = Results(
        experiment: experiment, words: words, fileSystem: "",
        records: [], draws: [], killed: [], start: Date(), end: Date()
      ).manifest
      return GateComparison(
        run: run.name,
        mismatches: GateComparison.unlike(
          before: before, now: manifest, flags: run.flagNames, roles: SettingTable.standard.roles(words),
          judged: GateRun.judgedSettings))
    }
  }
}

// MARK: - Recording

extension Gate {
  /// Simulates the runs and records their results as the baseline, which stays unchanged if a run fails.
  ///
  /// Each run is simulated on all draws of both looks, regardless of the budget. It is simulated again for each of
  /// `GateNoise.factors`, with CPU costs changed so little that a user would not notice, in order to find how much
  /// chance moves each measure. A plan without draws omits these additional simulations. Live runs are not recorded.
  ///
  /// - Returns: The message to the user.
  /// - Throws: `RunFailure` if a run fails or the baseline cannot be written; `CancellationError` if the task is
  ///   cancelled.
  package func record() async throws -> String {
    var plan = plan
    plan.runs.removeAll(where: \.isLive)
    guard !plan.runs.isEmpty else {
      throw RunFailure.usage("all runs are live, and a baseline has simulated runs only; nothing can be recorded")
    }
    // The baseline is locked first, since the simulations take long.
    let target = try baseline.folder(for: plan)
    defer { target.removeIfUnused() }
    let fresh = try await simulateAll(plan.runs, draws: 1..<(1 + 2 * plan.draws), into: output.path, until: nil)
    var changed: [[Fresh]] = []
    if plan.draws > 0 {
      for factor in GateNoise.factors {
        changed.append(
          try await simulateAll(
            plan.runs, draws: 1..<(1 + 2 * plan.draws), into: "\(output.path)/\(Gate.furtherFolder)", until: nil,
            changes: [GateCostChange(.cpu, factor: factor)]))
      }
    }
    let all = fresh + changed.flatMap(\.self)
    if let (run, failure) = all.lazy.flatMap({ fresh in fresh.failures.map { (fresh.run, $0) } }).first {
      throw RunFailure.failed("\(run.name): \(failure); the baseline was not changed")
    }
    let noise = fresh.indices.map { place in
      fresh[place].results.map { GateNoise(of: $0, changed: changed.compactMap { $0[place].results }) } ?? GateNoise()
    }
    try baseline.replace(in: target, by: plan, noise, results: fresh.map(\.results), from: output.path)
    let stacks = fresh.reduce(0) { $0 + ($1.results?.summaries.count ?? 0) }
    return "Baseline: \(fresh.count) run\(fresh.count == 1 ? "" : "s") with \(stacks) stack\(stacks == 1 ? "" : "s") "
      + "recorded in \(baseline.path); commit it"
  }
}

// MARK: - Running

extension Gate {
  /// Simulates runs one after the other, each with its own folder for results.
  ///
  /// - Parameters:
  ///   - runs: The runs in the order in which they are simulated.
  ///   - draws: The numbers of the draws. If the range is empty, only the device with the profile's values is
  ///     simulated.
  ///   - path: The folder that gets a folder for each run.
  ///   - deadline: The instant after which only the first draw of a run is begun, or nil to simulate all draws. The
  ///     remaining time is divided equally between the remaining runs.
  ///   - changes: The changes of the device's costs, or nil for `costChanges`.
  /// - Returns: The results of each run. A run that failed has no results, but a message.
  /// - Throws: `RunFailure` if the reason is not the run itself, such as bad usage or a full disk; `CancellationError`
  ///   if the task is cancelled.
  private func simulateAll(
    _ runs: [GateRun], draws: Range<Int>, into path: String, until deadline: ContinuousClock.Instant?,
    changes: [GateCostChange]? = nil
  ) async throws -> [Fresh] {
    var fresh: [Fresh] = []
    for (index, run) in runs.enumerated() {
      try Task.checkCancellation()
      let folder = ResultsFolder(path: "\(path)/\(run.name)")
      let target = try OutputFolder(folder.path, files: ResultsFolder.fileNames)
      // Results of an earlier gate are removed, so that they cannot be taken for the results of this one.
      for name in GateResults.fileNames { unlink(folder.path(of: name)) }
      var experiment = try run.experiment(output: folder.path, draws: draws)
      // The verdict on a limit depends on the devices, and so must not depend on the speed of this computer.
      experiment.drawBudget = run.limits.isEmpty ? deadline.map { ($0 - .now) / (runs.count - index) } : nil
      for change in changes ?? costChanges { change.apply(to: &experiment) }
      do {
        let prefix = "\(run.name), \(index + 1) of \(runs.count): "
        let failures = try await simulate(
          experiment, target, PrefixedProgressDisplay(display: progress, prefix: prefix))
        fresh.append(Fresh(run: run, results: try GateResults(reading: folder), failures: failures))
      } catch let failure as RunFailure where failure.kind == .failed {
        fresh.append(Fresh(run: run, results: nil, failures: [failure.message]))
      } catch let error as FileError {
        fresh.append(Fresh(run: run, results: nil, failures: ["\(error)"]))
      } catch {
        target.removeIfUnused()
        throw (error as? RunFailure).map(run.located) ?? error
      }
    }
    return fresh
  }
}
