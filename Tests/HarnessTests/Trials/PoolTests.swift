import Harness
import MachineCore
import Testing
import Topologies
import Workloads

/// Trials of a stack with a pool of contexts. The suite is serialized, because the tests measure time.
@Suite(.serialized) struct PoolTests {
  private func outcome(_ topology: Topology) throws -> TrialBench.Outcome {
    let bench = try TrialBench(
      rows: 240, existingRows: 60, batchSize: 30, mix: Mix(inserts: 0, updates: 100, deletes: 0))
    return try bench.run(topology, .quick { $0.arrivalInterval = .milliseconds(20) })
  }

  @Test func `old objects in a pool are counted, and fail the trial of a stack that does not tolerate them`() throws {
    let tolerated = try outcome(.pooledChildren)
    #expect(tolerated.isVerified, "\(tolerated.complaints)")
    #expect(try #require(tolerated.measures.staleRowsCount) > 0)
    var strict = Topology.pooledChildren
    strict.tolerates = []
    let refused = try outcome(strict)
    #expect(!refused.isVerified)
    #expect(refused.complaints.contains { $0.hasPrefix("worker holds an old object: ") }, "\(refused.complaints)")
    #expect(try outcome(.childOfMain).measures.staleRowsCount == 0)
  }
}
