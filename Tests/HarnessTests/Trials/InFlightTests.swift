import Foundation
import Harness
import MachineCore
import Metrics
import Testing
import Topologies
import TrialSupport
import Workloads

/// Trials on real threads in which the user deletes the input of computations.
@Suite(.serialized) struct InFlightTests {
  /// Runs a trial whose computations sleep instead of using the CPU.
  private func outcome(
    _ topology: Topology, _ policy: RunOptions.InFlight, meddle: (@Sendable (String) -> Void)? = nil
  ) throws -> TrialBench.Outcome {
    let bench = try TrialBench(rows: 240, existingRows: 60, batchSize: 60, inFlight: policy)
    let options = RunOptions.quick { $0.inFlight = policy }
    return try bench.run(topology, options, meddle: meddle) {
      $0.spendCPU = { _ in Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  @Test(
    arguments: [Topology.workerMerge(.notification), .threeTier], [RunOptions.InFlight.none, .modal, .lock, .validate])
  func `computations on real threads leave the right data`(topology: Topology, policy: RunOptions.InFlight) throws {
    let outcome = try outcome(topology, policy)
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let measures = outcome.measures
    let ends = ["applied", "failed", "discarded", "cancelled"].map { measures["in_flight_\($0)_count"] ?? 0 }
    #expect(ends.reduce(0, +) == measures.inFlightStartedCount)
    #expect(try #require(measures.inFlightStartedCount) > 0)
  }

  @Test func `a run without work in flight has no such columns, rows or table`() throws {
    let outcome = try outcome(.workerMerge(.notification), .off)
    #expect(outcome.isVerified, "\(outcome.complaints)")
    for measure in Measure.all where measure.isOfWorkInFlight {
      #expect(outcome.measures[measure.name] == nil, "\(measure.name)")
    }
    #expect(!outcome.statements.contains { $0.contains("ZCOMPUTATIONINPUT") })
  }

  @Test(arguments: [
    (
      "UPDATE ZCOMPUTATIONINPUT SET ZRESULT = 5 WHERE ZNUMBER = 599",
      "ComputationInput 599: result is 5 and should be absent"
    ),
    (
      "UPDATE ZCOMPUTATIONINPUT SET ZRESULT = NULL WHERE ZNUMBER = 1",
      "ComputationInput 1: result is absent and should be"
    ),
    ("DELETE FROM ZCOMPUTATIONINPUT WHERE ZNUMBER = 2", "ComputationInput 2 is missing"),
    ("UPDATE ZCOMPUTATIONINPUT SET ZAMOUNT = 0 WHERE ZNUMBER = 598", "ComputationInput 598 has the amount 0"),
    (
      "INSERT INTO ZCOMPUTATIONINPUT (Z_ENT, Z_OPT, ZNUMBER, ZAMOUNT, ZRESULT) SELECT Z_ENT, 1, 0, 1, ZRESULT "
        + "FROM ZCOMPUTATIONINPUT WHERE ZNUMBER = 1",
      "ComputationInput 0 was deleted and exists"
    ),
  ])
  func `a wrong input fails the trial`(sql: String, complaint: String) throws {
    // The result in all-main is always applied before the deletion of input 0.
    let outcome = try outcome(.allMain, .none) { path in execute(sql, path) }
    #expect(!outcome.isVerified)
    #expect(outcome.complaints.contains { $0.hasPrefix(complaint) }, "\(outcome.complaints)")
  }
}
