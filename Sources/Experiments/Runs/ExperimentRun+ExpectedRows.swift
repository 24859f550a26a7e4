import Metrics
import Topologies
import TrialProcesses

// MARK: - The expected rows

extension ExperimentRun {
  /// Checks that wrong data are the fault of a stack and not of the expected rows, which are made from a model or a feed
  /// of the user's.
  ///
  /// If the data of all stacks are wrong in the same way, a trial of the plainest stack decides.
  ///
  /// - Throws: `RunFailure` if the expected rows are wrong; `CancellationError` when interrupted.
  func checkExpectedRows(
    _ outcomes: [TrialOutcome], prepared: Prepared, children: Children
  ) async throws {
    guard let path = experiment.workload.model ?? experiment.workload.workload.feedPath else { return }
    var findings: [DataFinding] = []
    for outcome in outcomes {
      guard let record = outcome.record, record.simulation?.draw == nil,
        !findings.contains(where: { $0.topology == record.identity.name })
      else { continue }
      findings.append(DataFinding(topology: record.identity.name, problem: outcome.problem))
    }
    guard let problem = DataFinding.sameProblem(findings) else { return }
    if let other = DataFinding.decidingStack(findings) {
      let trial = Experiment.ScheduledTrial(topology: other, trial: 1)
      let outcome = try await runTrial(
        trial, number: experiment.scheduledTrials.count, core: nil, prepared: prepared, children: children)
      findings.append(DataFinding(topology: other.title, problem: outcome.problem))
      guard DataFinding.sameProblem(findings) != nil else { return }
    }
    throw DataFinding.failure(path, problem: problem)
  }
}

/// The first thing that is wrong with the data of a stack's first trial.
struct DataFinding {
  /// The title of the stack.
  var topology: String
  /// A sentence, or nil if the data are right.
  var problem: String?

  /// Returns the problem that all stacks have, or nil if one has another problem or none.
  static func sameProblem(_ findings: [DataFinding]) -> String? {
    guard let problem = findings.first?.problem, findings.allSatisfy({ $0.problem == problem }) else { return nil }
    return problem
  }

  /// Returns the stack whose trial shows if the stacks or the expected rows are wrong, or nil if their findings suffice.
  static func decidingStack(_ findings: [DataFinding]) -> Topology? {
    if !findings.contains(where: { $0.topology == Topology.allMain.title }) { return .allMain }
    return findings.count == 1 ? .workerMerge(.notification) : nil
  }

  /// Returns the failure of a run whose expected rows are wrong.
  ///
  /// - Parameters:
  ///   - path: The path of the model or the feed.
  ///   - problem: The problem that all stacks have.
  /// - Returns: The failure.
  static func failure(_ path: String, problem: String) -> RunFailure {
    .failed(
      "\(path): this model cannot be checked, because all stacks differ in the same way from the rows that Stackbench "
        + "expects (\(problem)); that is an error of Stackbench and not of a stack, please report it with the model")
  }
}
