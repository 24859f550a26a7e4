import Experiments
import Harness
import Metrics
import TrialProcesses

/// The live trials of a validation.
extension ValidationRun {
  /// The repeats and the time that all rounds of live runs share.
  struct LiveRounds {
    let repeats: TrialRepeats
    let timeLeft: TimeLeft

    init(_ validation: ValidationPlan, cellCount: Int) {
      repeats = TrialRepeats(limit: validation.request.repeatLimit, trialCount: validation.trials * cellCount)
      timeLeft = TimeLeft(trials: validation.trials * cellCount)
    }
  }

  /// Runs every cell once on the live machine and returns the records in the order of the cells.
  func runLive(
    round: Int, of rounds: LiveRounds, prepared: [Prepared], children: Children
  ) async throws -> [(Cell, TrialRecord)] {
    var records: [(Cell, TrialRecord)] = []
    for (place, cell) in cells.enumerated() {
      let left = rounds.timeLeft.text(done: (round - 1) * cells.count + place)
      progress.show("live: \(title(of: cell)), run \(round) of \(validation.trials)\(left)")
      let record = try await rounds.repeats.run(record: \TrialRecord?.self) {
        try await runLive(cell, trial: round, prepared: prepared[cell.workload], children: children)
      }
      if let record { records.append((cell, record)) }
    }
    return records
  }

  private func runLive(
    _ cell: Cell, trial: Int, prepared: Prepared, children: Children
  ) async throws -> TrialRecord {
    let scratch = try children.scratch.makeFolder("live")
    defer { children.scratch.removeFolder(scratch) }
    let plan = TrialTask.Plan(
      trial: TrialPlan(
        topology: topologies[cell.topology], options: validation.live[cell.workload].options,
        archive: prepared.archive, baseStore: prepared.baseStore, scratch: scratch, trial: trial),
      simulation: nil, hostCore: nil, binding: validation.request.isPinned ? ValidationRun.binding : nil)
    return try await answer(to: plan, title: "live \(title(of: cell)), run \(trial)", children: children)
  }

  /// The core of the main thread and the cores of all other threads, or nil if the process may use only one core.
  static var binding: TrialTask.Plan.CoreBinding? {
    let cores = AllowedCores.current
    guard cores.count > 1, let last = cores.last else { return nil }
    return TrialTask.Plan.CoreBinding(mainCore: last, otherCores: cores.dropLast())
  }

  private func answer(
    to plan: TrialTask.Plan, title: String, children: Children
  ) async throws -> TrialRecord {
    do {
      let record = try await children.answer(of: TrialTask.self, to: plan, timeLimit: timeLimit).record
      try check(record, title: title)
      return record
    } catch let failure as RunFailure {
      throw failure.during(title)
    }
  }

  var timeLimit: Duration { .nanoseconds(validation.live[0].options.timeLimit.nanoseconds) }

  /// Throws `RunFailure` unless the measure `verified` of a trial is 1.
  func check(_ record: TrialRecord, title: String) throws {
    guard record.measures.verified != 1 else { return }
    throw RunFailure.failed("\(title): its data did not verify")
  }
}
