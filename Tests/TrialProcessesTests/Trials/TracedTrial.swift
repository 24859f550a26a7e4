import Foundation
import Harness
import InputFiles
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

/// One simulated trial on a small workload, with or without a trace.
struct TracedTrial {
  let record: TrialRecord
  /// The events of the trial's part of a trace. The text is empty if the trial was not traced.
  let text: String
  /// The events of the trace, and their check. It is nil if the trial was not traced.
  let rules: TraceRules?

  private static let known = SharedValues<String, TracedTrial>()

  /// Returns a traced trial of a stack on the standard workload, which runs once for all tests.
  static func shared(_ topology: String, lanes: Int = 1) throws -> TracedTrial {
    try known.value(for: "\(topology), \(lanes) lanes") { try TracedTrial(topology, lanes: lanes) }
  }

  /// Runs a trial. `configure` changes the options, which have units of 50 records by default.
  init(
    _ topology: String, isTraced: Bool = true, lanes: Int = 1, rows: Int = 200, profile: String = "iphone-6s",
    configure: (inout RunOptions) -> Void = { _ in }
  ) throws {
    guard let topology = Topology.named(topology) else { throw RunFailure.usage(topology) }
    let profile = try ProfileLibrary.profile(named: profile)
    let options = TrialBench.options(on: profile) {
      $0.saveEvery = 50
      $0.lanes = lanes
      configure(&$0)
    }
    let bench = try TrialBench(
      WorkloadOptions(
        workload: .catalog, rows: rows, existingRows: 100, batchSize: options.saveEvery,
        mix: Mix(inserts: 70, updates: 25, deletes: 5), lanes: lanes), options, on: profile)
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = "\(folder.path)/trace.part"
    let recorder = isTraced ? try TraceRecorder(path: path, process: 1, name: topology.title) : nil
    var record = try bench.run(topology, trace: recorder).record
    try recorder?.finish()
    // This is the only figure that depends on this computer.
    record.simulation?.wallNanoseconds = 0
    self.record = record
    text = isTraced ? try String(contentsOfFile: path, encoding: .utf8) : ""
    rules = isTraced ? try TraceRules(events: text) : nil
  }

  func events() throws -> [TraceRules.Event] { try #require(rules).events }
}
