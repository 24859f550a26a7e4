import Foundation
import Harness
import Reporting
import TrialProcesses
import Workloads

/// Runs the gate's runs afresh, and compares them with the baseline or makes them the baseline.
package struct Gate: Sendable {
  /// Simulates one run into its folder and says what failed, a line each.
  package typealias Simulate =
    @Sendable (_ experiment: Experiment, _ output: OutputFolder, _ progress: any ProgressDisplay) async throws ->
    [String]

  let baseline: GateBaseline
  let plan: GatePlan
  /// The folder of the fresh results, with a folder for each run.
  let output: OutputFolder
  var progress: any ProgressDisplay
  /// How long draws are begun.
  var budget: Duration
  /// Changes of the device's costs, to try what the gate finds; empty for the device as it is.
  var costChanges: [GateCostChange]
  var simulate: Simulate

  package init(
    baseline: GateBaseline, plan: GatePlan, output: OutputFolder, progress: any ProgressDisplay,
    budget: Duration = Gate.standardBudget, costChanges: [GateCostChange] = [],
    simulate: @escaping Simulate = { experiment, output, progress in
      try await ExperimentRun(experiment, output: output, progress: progress).run().failures
    }
  ) {
    self.baseline = baseline
    self.plan = plan
    self.output = output
    self.progress = progress
    self.budget = budget
    self.costChanges = costChanges
    self.simulate = simulate
  }

  package static let standardBudget = Duration.seconds(120)
  package static let quickBudget = Duration.seconds(10)
  /// The folder within the output in which runs are simulated that nobody compares with a baseline as they are.
  private static let furtherFolder = "further"

  /// The results of one run just now.
  private struct Fresh {
    var run: GateRun
    /// nil if the run failed altogether.
    var results: GateResults?
    var failures: [String]
  }
}

// MARK: - Comparing

extension Gate {
  /// Simulates the runs and compares them with the baseline.
  ///
  /// The runs are simulated on the first draws of the baseline. If something moved, those runs are simulated on the other
  /// draws as well, since of so many measures some always move by chance; what has moved again there counts.
  /// Nothing is simulated if the manifests already show that it cannot be compared.
  ///
  /// - Throws: `RunFailure` for a baseline that is missing or damaged; `CancellationError` when interrupted.
  package func report() async throws -> GateReport {
    let before = try baseline.results(of: plan.runs)
    let noise = try baseline.noise(of: plan.runs)
    let unlike = try unlike(before)
    guard unlike.allSatisfy({ $0.mismatches.isEmpty }) else { return report(of: unlike) }
    let deadline = ContinuousClock.now + budget
    let fresh = try await simulateAll(plan.runs, draws: firstDraws, into: output.path, until: deadline)
    let looks = zip(zip(before, noise), fresh).map { known, fresh in
      comparison(of: fresh, again: nil, before: known.0, noise: known.1)
    }
    let suspected = zip(plan.runs, looks).filter { $1.hasMoved }.map(\.0)
    guard plan.draws > 0, !suspected.isEmpty, looks.allSatisfy({ $0.mismatches.isEmpty }) else {
      return report(of: looks)
    }
    let again = try await simulateAll(
      suspected, draws: secondDraws, into: "\(output.path)/\(Gate.furtherFolder)", until: deadline)
    return report(
      of: zip(zip(before, noise), fresh).map { known, fresh in
        comparison(of: fresh, again: again.first { $0.run == fresh.run }, before: known.0, noise: known.1)
      })
  }

  private var firstDraws: Range<Int> { 1..<(1 + plan.draws) }
  private var secondDraws: Range<Int> { (1 + plan.draws)..<(1 + 2 * plan.draws) }

  private func comparison(
    of fresh: Fresh, again: Fresh?, before: GateResults?, noise: GateNoise
  ) -> GateComparison {
    guard let before else { return missing(fresh.run) }
    let failures = fresh.failures + (again?.failures ?? [])
    guard let now = fresh.results, again == nil || again?.results != nil else {
      return GateComparison(run: fresh.run.name, mismatches: failures.map { GateMismatch(.unverified, $0) })
    }
    return GateComparison(
      of: fresh.run.name, flags: fresh.run.flagNames, roles: SettingTable.standard.roles, before: before, now: now,
      again: again?.results,
      tolerances: plan.tolerances, noise: noise, failures: failures)
  }

  private func report(of comparisons: [GateComparison]) -> GateReport {
    let foreign = baseline.foreignRuns(besides: plan.runs).map { name in
      GateComparison(
        run: name, mismatches: [GateMismatch(.run, "in the baseline, but none of the gate's runs")])
    }
    return GateReport(baseline: baseline.path, comparisons: comparisons + foreign)
  }

  private func missing(_ run: GateRun) -> GateComparison {
    GateComparison(run: run.name, mismatches: [GateMismatch(.run, "one of the gate's runs, but not in the baseline")])
  }

  /// What the manifests alone say, before anything has run.
  private func unlike(_ before: [GateResults?]) throws -> [GateComparison] {
    try zip(plan.runs, before).map { run, before in
      guard let before else { return missing(run) }
      let experiment = try run.experiment(output: output.path, draws: firstDraws)
      // What a feed holds is known when it has been read.
      guard !experiment.workload.workload.isFeed else { return GateComparison(run: run.name, mismatches: []) }
      let manifest = Results(
        experiment: experiment, fileSystem: "",
        records: [], draws: [], killed: [], start: Date(), end: Date()
      ).manifest
      return GateComparison(
        run: run.name,
        mismatches: GateComparison.unlike(before, manifest, flags: run.flagNames, roles: SettingTable.standard.roles))
    }
  }
}

// MARK: - Recording

extension Gate {
  /// Makes what the runs come to the baseline; leaves that alone if any of them fails.
  ///
  /// Each run is simulated on all draws of both looks, whatever the budget, and twice more with CPU costs changed by so
  /// little that nobody would notice, to find how much chance moves each measure.
  ///
  /// - Returns: what to tell the user.
  /// - Throws: `RunFailure`; `CancellationError` when interrupted.
  package func record() async throws -> String {
    // Locked before anything that takes time.
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
      throw RunFailure.failed("\(run.name): \(failure); the baseline is left as it was")
    }
    let noise = fresh.indices.map { place in
      fresh[place].results.map { GateNoise(of: $0, changed: changed.compactMap { $0[place].results }) } ?? GateNoise()
    }
    try baseline.replace(in: target, by: plan, noise, results: fresh.map(\.results), from: output.path)
    let stacks = fresh.reduce(0) { $0 + ($1.results?.summaries.count ?? 0) }
    return "Baseline: \(fresh.count) run\(fresh.count == 1 ? "" : "s") with \(stacks) stacks recorded in "
      + "\(baseline.path); commit it"
  }
}

// MARK: - Running

extension Gate {
  /// Simulates runs one after the other, each into its own folder.
  ///
  /// - Parameters:
  ///   - deadline: The instant after which no draw is begun but the first of a run; nil if all draws are simulated. Each
  ///     run may take its share of the time that the runs before it have left.
  private func simulateAll(
    _ runs: [GateRun], draws: Range<Int>, into path: String, until deadline: ContinuousClock.Instant?,
    changes: [GateCostChange]? = nil
  ) async throws -> [Fresh] {
    var fresh: [Fresh] = []
    for (index, run) in runs.enumerated() {
      try Task.checkCancellation()
      let folder = ResultsFolder(path: "\(path)/\(run.name)")
      let target = try OutputFolder(folder.path, files: ResultsFolder.fileNames)
      // Results that an earlier gate left must not pass for this one's.
      for name in GateResults.fileNames { unlink(folder.path(of: name)) }
      var experiment = try run.experiment(output: folder.path, draws: draws)
      experiment.drawBudget = deadline.map { ($0 - .now) / (runs.count - index) }
      for change in changes ?? costChanges { change.apply(to: &experiment) }
      do {
        let prefix = "\(run.name), \(index + 1) of \(runs.count): "
        let failures = try await simulate(
          experiment, target, PrefixedProgressDisplay(display: progress, prefix: prefix))
        fresh.append(Fresh(run: run, results: try GateResults(reading: folder), failures: failures))
      } catch let failure as RunFailure where failure.kind == .failed {
        fresh.append(Fresh(run: run, results: nil, failures: [failure.message]))
      } catch let error as ReportingError {
        fresh.append(Fresh(run: run, results: nil, failures: ["\(error)"]))
      } catch {
        target.removeIfUnused()
        throw error
      }
    }
    return fresh
  }
}
