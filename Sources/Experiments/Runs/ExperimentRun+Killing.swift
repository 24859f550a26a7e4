import Harness
import TrialProcesses

extension ExperimentRun {
  /// Runs a trial until its app dies, and then examines the remaining store in another process.
  func runKilledTrial(
    _ plan: TrialTask.Plan, of scheduledTrial: Experiment.ScheduledTrial, children: Children
  ) async throws -> TrialOutcome {
    try await children.runUntilKilled(
      KilledTrialTask.self, plan: plan, timeLimit: trialLimit)
    try Task.checkCancellation()
    let found = try await children.answer(
      of: AutopsyTask.self, to: plan.trial, timeLimit: ExperimentRun.longestPreparation)
    let failures = problems(of: found, after: experiment.options.killAt == nil ? "the power cut" : "the kill")
    return TrialOutcome(
      killed: found.record,
      failure: failures.isEmpty ? nil : "\(scheduledTrial.title): \(failures.joined(separator: "; "))")
  }

  /// Examines the store of a trial that a fault has stopped, and returns a clause that says what the store holds.
  func storeLeft(by plan: TrialPlan, children: Children) async throws -> String {
    let found = try await children.answer(
      of: AutopsyTask.self, to: plan, timeLimit: ExperimentRun.longestPreparation)
    let problems = problems(of: found, after: "the fault")
    guard problems.isEmpty else { return problems.joined(separator: "; ") }
    let count = found.record.commitsAcknowledgedCount
    return "its store has whole saves, with all payloads and edits whose commit had returned: \(count)"
  }

  /// Returns clauses that say how a store breaks the promise that SQLite gives, or no clauses.
  private func problems(of found: AutopsyTask.Answer, after event: String) -> [String] {
    let promise = experiment.options.promiseAtDeath
    var problems: [String] = []
    if found.record.consistent != 1, promise != .nothing {
      problems.append("the store after \(event) is not consistent" + (found.problem.map { ": \($0)" } ?? ""))
    }
    let lost = found.record.rowsCommittedLostCount
    if lost > 0, promise == .everyCommit {
      problems.append("rows whose commit had returned, and that the store after \(event) lacks: \(lost)")
    }
    return problems
  }
}
