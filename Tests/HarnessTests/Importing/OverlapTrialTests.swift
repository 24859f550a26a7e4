import ContextEngine
import Harness
import MachineCore
import Testing
import Topologies
import TrialSupport
import Workloads

/// Trials whose imports share rows, on real threads.
@Suite(.serialized) struct OverlapTrialTests {
  private static func bench(
    _ workload: Workload = .catalog, mix: Mix = .standard, overlap: Int = 30
  ) throws -> TrialBench {
    var options = WorkloadOptions(
      workload: workload, rows: 360, existingRows: 150, batchSize: 40, mix: mix, lanes: 3)
    options.overlap = overlap
    return try TrialBench(options)
  }

  private static func options(_ change: (inout RunOptions) -> Void = { _ in }) -> RunOptions {
    .quick {
      $0.lanes = 3
      $0.saveEvery = 15
      change(&$0)
    }
  }

  @Test(arguments: [Topology.workerMerge(.notification), .threeTier])
  func `three imports that share rows end verified on real threads`(topology: Topology) throws {
    let outcome = try Self.bench().run(topology, Self.options { $0.viewControllers = 3 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.storeDigest == nil)
    #expect(outcome.measures.staleRowsCount == 0 && outcome.measures.lostEditsCount == 0)
    #expect(outcome.measures.visibleNanoseconds != nil)
  }

  @Test(arguments: [Topology.allMain, .reversedParent(.root)])
  func `imports through one context make no duplicates`(topology: Topology) throws {
    let outcome = try Self.bench(overlap: 80).run(topology, Self.options())
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.duplicatesCount == 0 && outcome.measures.conflictsCount == 0)
  }

  @Test func `blind inserts make a duplicate of each shared row in every lane`() throws {
    let bench = try Self.bench(.flat, mix: .insertsOnly, overlap: 50)
    for strategy in [RunOptions.Strategy.objects, .batchInsert] {
      let outcome = try bench.run(
        .allMain,
        Self.options {
          $0.lookup = .none
          $0.strategy = strategy
        })
      #expect(outcome.isVerified, "\(outcome.complaints)")
      // 120 records of each lane, half of them of the same 60 rows.
      #expect(outcome.measures.duplicatesCount == 120)
    }
  }

  @Test func `a changed shared row fails the trial`() throws {
    let bench = try Self.bench(.flat, overlap: 80)
    let outcome = try bench.run(.allMain, Self.options()) { path in
      execute("UPDATE ZITEM SET ZAMOUNT = -1 WHERE Z_PK > (SELECT max(Z_PK) - 30 FROM ZITEM)", path)
    }
    #expect(!outcome.isVerified)
    let isFound = outcome.complaints.contains {
      $0.contains(": amount is -1.0 and should be ") && $0.contains(" or ")
    }
    #expect(isFound, "\(outcome.complaints)")
  }
}
