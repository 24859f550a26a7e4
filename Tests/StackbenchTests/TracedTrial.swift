import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Profiles
import TestSupport
import Topologies
import Tracing
import Workloads

@testable import Experiments
@testable import TrialProcesses
@testable import Validation
@testable import stackbench

/// One simulated trial on a small workload, with or without a trace.
struct TracedTrial {
  let record: TrialRecord
  /// The events of the trial's part of a trace. The text is empty if the trial was not traced.
  let text: String
  /// The events that `events()` returns, stored if several tests read them.
  private var decodedEvents: [Event]?

  private static let known = Guarded<[String: TracedTrial]>([:])

  /// Returns a traced trial of a stack on the standard workload, which runs once for all tests.
  static func shared(_ topology: String, lanes: Int = 1) throws -> TracedTrial {
    try known.withLock { known in
      let name = "\(topology), \(lanes) lanes"
      if let trial = known[name] { return trial }
      var trial = try TracedTrial(topology, lanes: lanes)
      trial.decodedEvents = try trial.events()
      known[name] = trial
      return trial
    }
  }

  /// An event as a reader of the format sees it, with times in nanoseconds.
  struct Event: Decodable {
    struct Arguments: Decodable {
      var name: String?
      var tick: Int?
      var late: Bool?
      var bytes: Int?
      var main: Int?
      var root: Int?
    }

    var ph: String
    var pid: Int
    var tid: Int
    var ts: Decimal?
    var dur: Decimal?
    var name: String?
    var id: Int?
    var args: Arguments?

    var start: Int64 { TracedTrial.nanoseconds(ts ?? 0) }
    var duration: Int64 { TracedTrial.nanoseconds(dur ?? 0) }
  }

  /// Runs a trial. `configure` changes the options, which have units of 50 records by default.
  init(
    _ topology: String, isTraced: Bool = true, lanes: Int = 1, rows: Int = 200, profile: String = "iphone-6s",
    configure: (inout RunOptions) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    guard let topology = Topology.named(topology) else { throw RunFailure.usage(topology) }
    let profile = try ProfileLibrary.profile(named: profile)
    var options = RunOptions(simulating: profile)
    options.saveEvery = 50
    options.lanes = lanes
    options.warmup = 0
    configure(&options)
    let archive = "\(folder.path)/workload"
    let scratch = "\(folder.path)/trial"
    for path in [archive, scratch] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let baseStore = "\(folder.path)/base.sqlite"
    _ = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: WorkloadOptions(
          workload: .catalog, rows: rows, existingRows: 100, batchSize: options.saveEvery,
          mix: Mix(inserts: 70, updates: 25, deletes: 5), lanes: lanes),
        isBatchSizeStandard: false, isSaveEveryStandard: false, options: options, archive: archive,
        baseStore: baseStore))
    let path = "\(folder.path)/trace.part"
    let recorder = isTraced ? try TraceRecorder(path: path, process: 1, name: topology.title) : nil
    let plan = TrialPlan(
      topology: topology, options: options, archive: archive, baseStore: baseStore, scratch: scratch, trial: 1,
      profile: profile.name)
    let simulation = Simulation(profile: profile, seed: 1, isTraced: isTraced)
    var record = try SimulatedTrial(plan, simulation, trace: recorder)
      .run(WorkLedger(), MainQueueLedger(tickCapacity: 1_000)).record
    try recorder?.finish()
    // This is the only figure that depends on this computer.
    record.simulation?.wallNanoseconds = 0
    self.record = record
    text = isTraced ? try String(contentsOfFile: path, encoding: .utf8) : ""
  }

  func events() throws -> [Event] {
    try decodedEvents ?? JSONDecoder().decode([Event].self, from: Data("[\(text)]".utf8))
  }

  private static func nanoseconds(_ microseconds: Decimal) -> Int64 {
    NSDecimalNumber(decimal: microseconds * 1_000).int64Value
  }
}
