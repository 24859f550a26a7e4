import Harness
import Metrics
import Testing
import Topologies
import Workloads

/// Imports that write to the store without a context: `--strategy batch-insert`.
@Suite(.serialized) struct BatchInsertTests {
  private func bench() throws -> TrialBench {
    try TrialBench(
      WorkloadOptions(workload: .flat, rows: 240, existingRows: 150, batchSize: 60, mix: .insertsOnly))
  }

  private static func options(_ strategy: RunOptions.Strategy) -> RunOptions {
    .quick {
      $0.strategy = strategy
      $0.lookup = .none
      $0.viewControllers = 2
    }
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `a batch insert ends verified and is merged into every UI context`(topology: Topology) throws {
    let outcome = try bench().run(topology, Self.options(.batchInsert))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let measures = outcome.measures
    #expect(measures.lostEditsCount == 0 && measures.duplicatesCount == 0 && measures.staleRowsCount == 0)
    // Each object is merged once into every context from the root to the context of each screen.
    let contextCount = topology.contexts.reduce(0) { count, context in
      let isAbove = topology.contexts.contains { $0.name == topology.uiContext && $0.parent == context.name }
      return count + (context.name == topology.uiContext ? (context.lifetime == .screen ? 2 : 1) : isAbove ? 1 : 0)
    }
    #expect(try #require(measures.objectsMergedCount) >= 240 * contextCount)
    #expect(try #require(measures.mergeBacklogMaximum) > 0)
    #expect(try #require(measures.timeToVisibleNanosecondsMaximum) > 0)
    #expect(try #require(measures.rowsWrittenCount) >= 240)
    // A unit is one transaction. A save would use another one for its keys.
    #expect(outcome.statements.count { $0.hasPrefix("INSERT INTO ZITEM(") } == 240)
  }

  @Test func `a batch insert and saved objects write the same store`() throws {
    let bench = try bench()
    let digests = try [RunOptions.Strategy.objects, .batchInsert].map {
      try bench.run(.workerMerge(.notification), Self.options($0)).measures.storeDigest
    }
    #expect(digests[0] == digests[1] && digests[0]?.count == 64)
  }
}
