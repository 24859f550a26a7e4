import OutputFiles
import TrialProcesses

/// Runs those trials of a plan that have no result yet. Simulated trials run on all cores at once. If one of the trials
/// is live, all run one after another.
package struct SweepRun: Sendable {
  let plan: SweepPlan
  let folder: SweepFolder
  /// The folder for the stores, or nil to put them into the output folder.
  let scratch: String?
  let progress: any ProgressDisplay

  package init(plan: SweepPlan, folder: SweepFolder, scratch: String?, progress: any ProgressDisplay) {
    self.plan = plan
    self.folder = folder
    self.scratch = scratch
    self.progress = progress
  }

  /// Runs all trials that have no result, even after some have failed. Results of trials that have ended are kept when
  /// the function throws.
  ///
  /// - Parameter output: The folder for the trials' temporary files.
  /// - Returns: A line for each trial that failed. A trial whose data did not verify is not among them.
  /// - Throws: `RunFailure` for input that cannot be used; `CancellationError` when interrupted.
  package func run(_ output: OutputFolder) async throws -> [String] {
    let trials = try plan.trials.filter { try folder.result(of: $0) == nil }
    guard !trials.isEmpty else { return [] }
    let isLive = try Set(trials.map(\.arguments)).contains { try RunRequest(arguments: $0).machine ?? .live == .live }
    let cores = AllowedCores.current
    let width = isLive ? 1 : min(cores.count, trials.count)
    defer { progress.clear() }
    let timeLeft = TimeLeft(trials: trials.count)
    let kept = plan.trials.count - trials.count
    var failures = [String?](repeating: nil, count: trials.count)
    try await withThrowingTaskGroup(of: (number: Int, core: Int, failure: String?).self) { group in
      var next = 0
      var done = 0
      func start(onCore core: Int) {
        guard next < trials.count else { return }
        let number = next
        next += 1
        progress.show(
          "\(trials[number].title); \(kept + done) of \(plan.trials.count) done\(timeLeft.text(done: done))")
        group.addTask {
          (number, core, try await failure(of: trials[number], onCore: width > 1 ? cores[core] : nil, output))
        }
      }
      for core in 0..<width { start(onCore: core) }
      while let ended = try await group.next() {
        failures[ended.number] = ended.failure
        done += 1
        start(onCore: ended.core)
      }
    }
    return failures.compactMap(\.self)
  }

  /// Runs one trial and writes its result.
  ///
  /// - Returns: The reason for which the trial has no result, or nil if it has one. If its data did not verify, the
  ///   result itself contains that failure.
  private func failure(of trial: PlannedTrial, onCore core: Int?, _ output: OutputFolder) async throws -> String? {
    do {
      let result = try await trial.run(in: output, scratch: scratch, core: core)
      try Task.checkCancellation()
      try folder.write(result)
      return nil
    } catch let failure as RunFailure where failure.kind == .failed {
      try Task.checkCancellation()
      return failure.message
    }
  }
}
