import Foundation
import Harness
import Metrics
import Reporting
import Topologies
import TrialProcesses

/// Simulates what an answer stands on: the stacks at the given point, there also on devices drawn from the profile's
/// ranges, and at the points beside it.
package struct AdviceRun: Sendable {
  let given: RunRequest
  /// How many devices are drawn at the given point.
  let draws: Int
  let progress: any ProgressDisplay

  package init(given: RunRequest, draws: Int, progress: any ProgressDisplay) {
    self.given = given
    self.draws = draws
    self.progress = progress
  }

  /// What came of it: all that an answer is made of, but for what was asked.
  package struct Outcome: Sendable {
    /// At the given point.
    package var results: Results
    package var candidates: [AdviceCandidate]
    package var points: [AdvicePoint]
    /// Of all points and draws.
    package var trialCount: Int
    /// What could not be tried, a sentence each.
    package var untried: [String]
    /// A line each; there is no answer if there is one.
    package var failures: [String]
  }

  /// Runs to the end. Nothing is left behind.
  ///
  /// - Parameter folder: where the stores live meanwhile.
  /// - Throws: `RunFailure` if nothing came of a point; `CancellationError` when interrupted.
  package func run(in folder: OutputFolder) async throws -> Outcome {
    let scratch = try ScratchFolder(in: folder.path)
    defer { scratch.remove() }
    let drawn = draws > 0 ? given.with(\.draws, draws) : given
    let report = try await report(of: drawn, title: "as given", in: scratch)
    // Only now is it known how much a feed holds.
    let plan = try AdvicePlan(around: given, workload: report.results.experiment.workload)
    var outcome = Outcome(
      results: report.results, candidates: AdviceRun.candidates(of: report.results), points: [],
      trialCount: AdviceRun.trialCount(report.results), untried: plan.untried, failures: report.failures)
    for (index, point) in plan.points.enumerated() {
      try Task.checkCancellation()
      let title = "\(SettingFlag.named(point.flag)) \(point.value)"
      let report = try await self.report(
        of: point.request, title: "\(title), \(index + 1) of \(plan.points.count) beside it", in: scratch)
      outcome.trialCount += AdviceRun.trialCount(report.results)
      outcome.failures += report.failures.map { "\(title): \($0)" }
      outcome.points.append(
        AdvicePoint(
          flag: point.flag, value: point.value, command: point.request.runCommand,
          candidates: AdviceRun.candidates(of: report.results)))
    }
    return outcome
  }

  private func report(
    of request: RunRequest, title: String, in scratch: ScratchFolder
  ) async throws -> ExperimentRun.Report {
    let folder = try scratch.makeFolder("point")
    defer { scratch.removeFolder(folder) }
    var experiment = try request.adviceExperiment()
    experiment.output = folder
    return try await ExperimentRun(
      experiment, output: OutputFolder(folder),
      progress: PrefixedProgressDisplay(display: progress, prefix: "\(title): ")
    ).run()
  }
}

// MARK: - Candidates

extension AdviceRun {
  /// Each stack that has a result, in the order of the run.
  static func candidates(of results: Results) -> [AdviceCandidate] {
    let summaries = results.summaries
    return results.experiment.topologies.compactMap { topology in
      guard let summary = summaries.first(where: { $0.identity.name == topology.title }) else { return nil }
      let draws = results.draws.filter { $0.identity.name == topology.title }.compactMap { record in
        record.simulation?.draw.map { ($0, record.measures) }
      }
      return AdviceCandidate(
        name: topology.title, measures: summary.measures, draws: Dictionary(draws) { first, _ in first },
        contextCount: contextCount(of: topology, results.experiment.options), ruleCount: topology.rules.count)
    }
  }

  private static func trialCount(_ results: Results) -> Int { results.records.count + results.draws.count }

  /// How many contexts there are at a time.
  private static func contextCount(of topology: Topology, _ options: RunOptions) -> Int {
    topology.contexts.reduce(0) { count, context in
      switch context.lifetime {
      case .app: count + 1
      case .lane, .payload: count + options.lanes
      case .screen: count + options.viewControllers
      }
    }
  }
}
