import Harness
import InputFiles
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// A trial shows the list that is described, and measures its first fetch.
@Suite struct ListTrialTests {
  private func bench(
    existingRows: Int, fetchBatchSize: Int, _ change: (inout WorkloadOptions) throws -> Void = { _ in }
  ) throws -> TrialBench {
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    var workload = WorkloadOptions(
      workload: .catalog, rows: 60, existingRows: .count(existingRows), batchSize: 30, mix: .standard)
    try change(&workload)
    let options = TrialBench.options(on: profile) { options in
      options.fetchBatchSize = fetchBatchSize
      options.saveEvery = 30
    }
    return try TrialBench(workload, options, on: profile)
  }

  private func firstFetch(existingRows: Int, fetchBatchSize: Int) throws -> Int64 {
    let outcome = try bench(existingRows: existingRows, fetchBatchSize: fetchBatchSize) { $0.list.entity = "Price" }
      .run(.workerMerge(.notification))
    #expect(outcome.complaints == [])
    return try #require(outcome.measures.firstFetchNanoseconds)
  }

  @Test(arguments: [0, 20]) func `the first fetch takes time for each row of the list`(fetchBatchSize: Int) throws {
    let few = try firstFetch(existingRows: 1_000, fetchBatchSize: fetchBatchSize)
    let many = try firstFetch(existingRows: 8_000, fetchBatchSize: fetchBatchSize)
    #expect(few > 0 && many > 2 * few)
  }

  @Test(arguments: Topology.all) func `every stack shows a list with its order, condition and cells`(
    topology: Topology
  ) throws {
    let bench = try bench(existingRows: 300, fetchBatchSize: 0) { workload in
      workload.list.entity = "Price"
      workload.list.sort = [ListSort("-amount")]
      workload.list.condition = try ListCondition(argument: "currency != 'EUR' and amount >= 10")
      workload.list.prefetched = ["product"]
      workload.list.cells = ["amount", "product.name", "product.supplier.city"]
    }
    let outcome = try bench.run(topology) { $0.viewControllers = 2 }
    #expect(outcome.complaints == [])
    #expect(outcome.measures.verified == 1)
    let counts = try #require(outcome.record.counts)
    #expect(counts.listLength == bench.archive.listLength && (1..<150).contains(counts.listLength))
    #expect(counts.insertedCount + counts.updatedCount + counts.deletedCount == 60)
  }

  @Test func `the window includes the opening of screens that open at the first payload`() throws {
    let bench = try bench(existingRows: 60_000, fetchBatchSize: 0) { $0.list.entity = "Price" }
    let before = try bench.run(.workerMerge(.notification)).measures
    let within = try bench.run(.workerMerge(.notification)) { $0.openScreens = .atFirstPayload }.measures
    #expect(within.verified == 1)
    let fetch = try #require(within.firstFetchNanoseconds)
    #expect(try #require(within.mainBusyNanoseconds) > #require(before.mainBusyNanoseconds) + fetch / 2)
    #expect(try #require(within.framesDroppedCount) > #require(before.framesDroppedCount))
  }
}
