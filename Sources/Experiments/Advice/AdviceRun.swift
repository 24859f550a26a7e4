import Foundation
import Harness
import Metrics
import OutputFiles
import Reporting
import Topologies
import TrialProcesses

/// Simulates the stacks for an answer: at the given point, there also on devices drawn from the profile's ranges, and
/// at the neighbouring points.
package struct AdviceRun: Sendable {
  let given: RunRequest
  /// The number of devices that are drawn at the given point.
  let draws: Int
  /// The words of the command line that the results use.
  let words: CommandWords
  let progress: any ProgressDisplay

  package init(given: RunRequest, draws: Int, words: CommandWords, progress: any ProgressDisplay) {
    self.given = given
    self.draws = draws
    self.words = words
    self.progress = progress
  }

  /// The results of the simulations, which contain everything that an answer needs except the question.
  package struct Outcome: Sendable {
    /// The results at the given point.
    package var results: Results
    /// The stacks with their results at the given point.
    package var candidates: [AdviceCandidate]
    /// The neighbouring points with their results.
    package var points: [AdvicePoint]
    /// The number of trials at all points and on all drawn devices.
    package var trialCount: Int
    /// The points that could not be tried and the reasons, one sentence each.
    package var untried: [String]
    /// The failures at all points, one line each. No answer can be given if there are any.
    package var failures: [String]
  }

  /// Simulates all points, and removes every file that it made.
  ///
  /// - Parameter folder: The folder in which the private folder with the stores is made.
  /// - Returns: The results at all points, and the failures of single trials.
  /// - Throws: `RunFailure` if a point has no result; `CancellationError` if the task is cancelled.
  package func run(in folder: OutputFolder) async throws -> Outcome {
    let scratch = try ScratchFolder(in: folder.path)
    defer { scratch.remove() }
    let drawn = draws > 0 ? given.with(\.draws, draws) : given
    let report = try await report(of: drawn, title: "as given", in: scratch)
    // The size of a feed is known only after the first run has read it.
    let plan = try AdvicePlan(around: given, workload: report.results.experiment.workload)
    var outcome = Outcome(
      results: report.results, candidates: AdviceRun.candidates(of: report.results), points: [],
      trialCount: AdviceRun.trialCount(report.results), untried: plan.untried, failures: report.failures)
    for (index, point) in plan.points.enumerated() {
      try Task.checkCancellation()
      let title = "\(SettingFlag.named(point.flag)) \(point.value)"
      let report = try await self.report(
        of: point.isSecondQuestion && draws > 0 ? point.request.with(\.draws, draws) : point.request,
        title: "\(title), variation \(index + 1) of \(plan.points.count)", in: scratch)
      outcome.trialCount += AdviceRun.trialCount(report.results)
      outcome.failures += report.failures.map { "\(title): \($0)" }
      outcome.points.append(
        AdvicePoint(
          flag: point.flag, value: point.value, command: point.request.runCommand,
          candidates: AdviceRun.candidates(of: report.results), isSecondQuestion: point.isSecondQuestion))
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
    ).run(words: words)
  }
}

// MARK: - Candidates

extension AdviceRun {
  /// Returns the stacks that have a result, in the order of the run.
  static func candidates(of results: Results) -> [AdviceCandidate] {
    let summaries = results.summaries
    return results.experiment.topologies.compactMap { topology in
      guard let summary = summaries.first(where: { $0.identity.name == topology.title }) else { return nil }
      return AdviceCandidate(
        summary, repeatedIn: results.draws, contextCount: contextCount(of: topology, results.experiment.options),
        ruleCount: topology.rules.count)
    }
  }

  private static func trialCount(_ results: Results) -> Int { results.records.count + results.draws.count }

  /// Returns the number of contexts that a stack has at the same time.
  package static func contextCount(of topology: Topology, _ options: RunOptions) -> Int {
    topology.contexts.reduce(0) { count, context in
      switch context.lifetime {
      case .app, .edit: count + 1
      case .lane, .payload: count + options.lanes
      case .pool: count + (options.poolSize ?? context.poolSize ?? 1)
      case .screen: count + options.viewControllers
      }
    }
  }
}
