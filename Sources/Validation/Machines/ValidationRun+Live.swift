import Experiments
import Harness
import Metrics
import TrialProcesses

/// The live trials of a validation.
extension ValidationRun {
  func runLive(_ prepared: [Prepared], _ children: Children) async throws -> [Cell: [TrialRecord]] {
    let cells = cells
    var records: [Cell: [TrialRecord]] = [:]
    let repeats = TrialRepeats(limit: validation.repeatLimit, trialCount: validation.trials * cells.count)
    let timeLeft = TimeLeft(trials: validation.trials * cells.count)
    for trial in 1...validation.trials {
      for (place, cell) in cells.enumerated() {
        let done = (trial - 1) * cells.count + place
        progress.show("live: \(title(of: cell)), run \(trial) of \(validation.trials)\(timeLeft.text(done: done))")
        let record = try await repeats.run(record: \TrialRecord?.self) {
          try await runLive(cell, trial: trial, prepared[cell.workload], children)
        }
        if let record { records[cell, default: []].append(record) }
      }
    }
    return records
  }

  private func runLive(
    _ cell: Cell, trial: Int, _ prepared: Prepared, _ children: Children
  ) async throws -> TrialRecord {
    let scratch = try children.scratch.makeFolder("live")
    defer { children.scratch.removeFolder(scratch) }
    let plan = TrialTask.Plan(
      trial: TrialPlan(
        topology: topologies[cell.topology], options: validation.live[cell.workload].options,
        archive: prepared.archive, baseStore: prepared.baseStore, scratch: scratch, trial: trial),
      simulation: nil, hostCore: nil, binding: validation.isPinned ? ValidationRun.binding : nil)
    return try await answer(plan, "live \(title(of: cell)), run \(trial)", children)
  }

  /// The core of the main thread and the cores of all other threads, or nil if the process may use only one core.
  private static var binding: TrialTask.Plan.CoreBinding? {
    let cores = AllowedCores.current
    guard cores.count > 1, let last = cores.last else { return nil }
    return TrialTask.Plan.CoreBinding(mainCore: last, otherCores: cores.dropLast())
  }

  private func answer(
    _ plan: TrialTask.Plan, _ title: String, _ children: Children
  ) async throws -> TrialRecord {
    do {
      let record = try await children.answer(of: TrialTask.self, to: plan, timeLimit: timeLimit).record
      try check(record, title)
      return record
    } catch let failure as RunFailure {
      throw failure.during(title)
    }
  }

  var timeLimit: Duration { .nanoseconds(validation.live[0].options.timeLimit.nanoseconds) }

  /// Throws `RunFailure` unless the measure `verified` of a trial is 1.
  func check(_ record: TrialRecord, _ title: String) throws {
    guard record.measures.verified != 1 else { return }
    throw RunFailure.failed("\(title): its data did not verify")
  }
}
