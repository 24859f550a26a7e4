import Foundation
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

/// A workload with its base store in a folder, on which trials run in this process.
struct TrialBench {
  /// The completed options of the workload and of the trials, and the remarks on the workload.
  let prepared: PrepareTask.Answer
  let archive: WorkloadArchive
  let base: URL
  private let folder: TemporaryFolder
  private let profile: Profile?

  struct Outcome {
    var record: TrialRecord
    var complaints: [String]
    /// The closed store.
    var store: URL
    var measures: TrialMeasures { record.measures }
  }

  /// Writes the workload and the base store. Only trials on real threads need no profile.
  init(_ workload: WorkloadOptions, _ options: RunOptions, on profile: Profile? = nil) throws {
    folder = try TemporaryFolder()
    self.profile = profile
    let archive = folder.url.appendingPathComponent("workload")
    try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: false)
    base = folder.url.appendingPathComponent("base.sqlite")
    prepared = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: workload, isBatchSizeStandard: false, isSaveEveryStandard: false, options: options,
        archive: archive.path, baseStore: base.path))
    self.archive = try WorkloadArchive(opening: archive)
  }

  /// Returns the options of trials on a device, without a warm-up.
  static func options(on profile: Profile, _ change: (inout RunOptions) -> Void) -> RunOptions {
    var options = RunOptions(simulating: profile)
    options.warmup = 0
    change(&options)
    return options
  }

  /// Returns a plan with a new, empty folder. `change` changes options that do not concern the base store.
  private func plan(_ topology: Topology, _ change: (inout RunOptions) -> Void = { _ in }) throws -> TrialPlan {
    let scratch = folder.url.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
    var options = prepared.options
    change(&options)
    return TrialPlan(
      topology: topology, options: options, archive: "\(folder.path)/workload", baseStore: base.path,
      scratch: scratch.path, trial: 1, profile: profile?.name)
  }

  private func simulation(scheduleSeed: UInt64? = nil, isTraced: Bool = false) throws -> Simulation {
    Simulation(
      profile: try #require(profile), scheduleSeed: scheduleSeed, seed: prepared.options.seed, isTraced: isTraced)
  }

  /// Runs one trial to its end.
  func run(
    _ topology: Topology, scheduleSeed: UInt64? = nil, trace: TraceRecorder? = nil,
    timeLimit: TimeSpan = .seconds(3_600),
    _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> Outcome {
    let plan = try plan(topology, change)
    let simulation = try simulation(scheduleSeed: scheduleSeed, isTraced: trace != nil)
    let (record, complaints) = try SimulatedTrial(plan, simulation, trace: trace, timeLimit: timeLimit)
      .run(WorkLedger(), MainQueueLedger(tickCapacity: 1_000))
    return Outcome(
      record: record, complaints: complaints, store: URL(fileURLWithPath: "\(plan.scratch)/store.sqlite"))
  }

  /// Runs one trial until its app is killed, and examines the files that are left, with another journal if one is given,
  /// and with further facts in the journal.
  func kill(
    _ topology: Topology, at moment: TimeSpan, journal: String? = nil, adding facts: [AppJournal.Fact] = [],
    _ change: (inout RunOptions) -> Void = { _ in }
  ) throws -> KilledRecord {
    let (record, problems) = try kill(topology, journal: journal, adding: facts) { options in
      change(&options)
      options.killAt = moment
    }
    #expect(problems == [])
    return record
  }

  /// Runs one trial until its app dies at the instant or the power cut of its options, and examines the files that are
  /// left.
  ///
  /// - Returns: The record, and sentences that say why the store is not consistent.
  func kill(
    _ topology: Topology, journal: String? = nil, adding facts: [AppJournal.Fact] = [],
    _ change: (inout RunOptions) -> Void
  ) throws -> (record: KilledRecord, problems: [String]) {
    let plan = try plan(topology, change)
    try SimulatedTrial(plan, simulation()).runUntilKilled(
      work: WorkLedger(), mainQueue: MainQueueLedger(tickCapacity: 1_000))
    let path = "\(plan.scratch)/journal.jsonl"
    try journal?.write(toFile: path, atomically: false, encoding: .utf8)
    if !facts.isEmpty {
      var lines = try Data(contentsOf: URL(fileURLWithPath: path))
      for fact in facts { lines += try JSONEncoder().encode(fact) + Data("\n".utf8) }
      try lines.write(to: URL(fileURLWithPath: path))
    }
    return try Autopsy(of: plan).run()
  }

  /// Runs one trial on real threads, with the file of its trace if it has one.
  func runLive(_ topology: Topology, trace: String? = nil) throws -> TrialRecord {
    try TrialTask.answer(
      TrialTask.Plan(trial: plan(topology), trace: trace.map { TrialTask.Plan.Trace(path: $0, process: 1) })
    ).record
  }
}
