import Experiments
import Harness
import MachineSimulated
import TrialProcesses

/// Runs rows of published tables in virtual time, in child processes, on all cores.
struct PublishedRun: Sendable {
  let seed: UInt64
  let children: Children

  /// A row to run, with the device on which it runs.
  struct Job: Sendable {
    var table: PublishedTable
    /// The index of the row in the table.
    var row: Int
    var profile: Profile
  }

  /// The longest wall time of one row.
  private static let timeLimit = Duration.seconds(600)

  /// Returns the measurements of each job, with one measurement for each figure of its row.
  ///
  /// - Throws: `RunFailure` for the first row that fails; `CancellationError` if the run is interrupted.
  func measurements(of jobs: [Job], progress: any ProgressDisplay) async throws -> [[PublishedMeasurement]] {
    let folder = try children.scratch.makeFolder("published")
    defer { children.scratch.removeFolder(folder) }
    let timeLeft = TimeLeft(trials: jobs.count)
    let answers = try await children.answers(
      of: PublishedRowTask.self, count: jobs.count, timeLimit: PublishedRun.timeLimit,
      plan: { [seed, children] index, core in
        let job = jobs[index]
        return PublishedRowTask.Plan(
          table: job.table, row: job.row,
          simulation: Simulation(profile: job.profile, scheduleSeed: nil, seed: seed, isTraced: false),
          folder: try children.scratch.makeFolder("published/\(index)"), hostCore: core)
      },
      ended: { progress.show("\($0) of \(jobs.count) rows\(timeLeft.text(done: $0))") })
    return answers.map(\.measurements)
  }
}
