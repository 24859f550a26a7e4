import Foundation
import Harness
import Reporting
import Workloads

/// Runs the gate's runs afresh, and compares them with the baseline or makes them the baseline.
struct Gate: Sendable {
  /// Simulates one run into its folder and says what failed, a line each.
  typealias Simulate =
    @Sendable (_ experiment: Experiment, _ output: OutputFolder, _ prefix: String) async throws -> [String]

  let baseline: GateBaseline
  let plan: GatePlan
  /// Where the fresh results go, a folder a run.
  let output: OutputFolder
  var isQuiet: Bool
  var simulate: Simulate = { experiment, output, prefix in
    try await ExperimentRun(experiment, output: output, prefix: prefix).run().failures
  }

  /// What came of one run just now.
  private struct Fresh {
    var run: GateRun
    /// nil if it failed altogether.
    var results: GateResults?
    var failures: [String]
  }
}

// MARK: - Comparing

extension Gate {
  /// What the gate says. Nothing is simulated where the manifests already show that it could not be compared.
  ///
  /// - Throws: `CommandFailure` for a baseline that is missing or damaged; `CancellationError` when interrupted.
  func report() async throws -> GateReport {
    let before = try baseline.results(of: plan.runs)
    let unlike = try unlike(before)
    guard unlike.allSatisfy({ $0.mismatches.isEmpty }) else { return report(of: unlike) }
    let fresh = try await simulateAll()
    return report(
      of: zip(before, fresh).map { before, fresh in
        guard let before else { return missing(fresh.run) }
        guard let now = fresh.results else {
          return GateComparison(run: fresh.run.name, mismatches: fresh.failures.map { GateMismatch(.unverified, $0) })
        }
        return GateComparison(
          of: fresh.run.name, flags: fresh.run.flagNames, before: before, now: now, tolerances: plan.tolerances,
          failures: fresh.failures)
      })
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
      let experiment = try run.experiment(output: output.path)
      // What a feed holds is known when it has been read.
      guard !experiment.workload.workload.isFeed else { return GateComparison(run: run.name, mismatches: []) }
      let manifest = Results(
        experiment: experiment, workload: experiment.workload, options: experiment.options, fileSystem: "",
        records: [], draws: [], killed: [], start: Date(), end: Date()
      ).manifest
      return GateComparison(
        run: run.name, mismatches: GateComparison.unlike(before, manifest, flags: run.flagNames))
    }
  }
}

// MARK: - Recording

extension Gate {
  /// Makes what the runs come to the baseline; leaves that alone if any of them fails.
  ///
  /// - Returns: what to tell the user.
  /// - Throws: `CommandFailure`; `CancellationError` when interrupted.
  func record() async throws -> String {
    let fresh = try await simulateAll()
    if let (run, failure) = fresh.lazy.flatMap({ fresh in fresh.failures.map { (fresh.run, $0) } }).first {
      throw CommandFailure.failed("\(run.name): \(failure); the baseline is left as it was")
    }
    try baseline.replace(by: plan.runs, in: output.path)
    let stacks = fresh.reduce(0) { $0 + ($1.results?.summaries.count ?? 0) }
    return "Baseline: \(fresh.count) run\(fresh.count == 1 ? "" : "s") with \(stacks) stacks recorded in "
      + "\(baseline.path); commit it"
  }
}

// MARK: - Running

extension Gate {
  private func simulateAll() async throws -> [Fresh] {
    var fresh: [Fresh] = []
    for (index, run) in plan.runs.enumerated() {
      try Task.checkCancellation()
      let folder = ResultsFolder(path: "\(output.path)/\(run.name)")
      // What an earlier gate left must not pass for this one's.
      for name in GateResults.fileNames { try? FileManager.default.removeItem(atPath: folder.path(of: name)) }
      var experiment = try run.experiment(output: folder.path)
      experiment.isQuiet = isQuiet
      do {
        let failures = try await simulate(
          experiment, OutputFolder(folder.path, flag: "--output"), "\(run.name), \(index + 1) of \(plan.runs.count): ")
        fresh.append(Fresh(run: run, results: try GateResults(reading: folder), failures: failures))
      } catch let failure as CommandFailure where failure.status == .failed {
        fresh.append(Fresh(run: run, results: nil, failures: [failure.message]))
      } catch let error as ReportingError {
        fresh.append(Fresh(run: run, results: nil, failures: ["\(error)"]))
      }
    }
    return fresh
  }
}
