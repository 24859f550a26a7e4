import Harness
import MachineCore
import Testing
import Topologies
import TrialSupport
import Workloads

/// Trials of a stack that imports all payloads at the same time. The suite is serialized, because the tests measure
/// time.
@Suite(.serialized) struct FanOutTests {
  private func bench() throws -> TrialBench {
    try TrialBench(rows: 600, existingRows: 100, batchSize: 20, mix: Mix(inserts: 50, updates: 45, deletes: 5))
  }

  private static let options = RunOptions.quick { $0.saveEvery = 10 }

  @Test(arguments: [
    ("UPDATE ZPRODUCT SET ZNAME = 'nobody' WHERE Z_PK = (SELECT min(Z_PK) FROM ZPRODUCT)", "which no record has"),
    ("UPDATE ZPRODUCT SET ZREMOTEID = 900000 WHERE Z_PK = (SELECT min(Z_PK) FROM ZPRODUCT)", "no record has its key"),
    ("DELETE FROM ZSUPPLIER WHERE Z_PK = (SELECT min(Z_PK) FROM ZSUPPLIER)", "is missing"),
  ])
  func `what no record has written fails a trial whatever its payloads have overtaken`(sql: String, word: String) throws
  {
    let outcome = try bench().run(.backgroundFanOut, Self.options) { path in execute(sql, path) }
    #expect(!outcome.isVerified)
    #expect(outcome.complaints.contains { $0.contains(word) }, "\(outcome.complaints)")
  }
}
