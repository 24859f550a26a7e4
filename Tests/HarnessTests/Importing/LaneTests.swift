import Harness
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// Trials with several imports at a time. The suite is serialized, because each trial starts several threads.
@Suite(.serialized) struct LaneTests {
  private static let laneCount = 3

  /// Returns a bench with nine payloads of 40 records in three lanes.
  private static func bench(rows: Int = 360, mix: Mix = .standard) throws -> TrialBench {
    try TrialBench(
      WorkloadOptions(
        workload: .catalog, rows: rows, existingRows: 150, batchSize: 40, mix: mix, lanes: laneCount))
  }

  private static func options(_ change: (inout RunOptions) -> Void = { _ in }) -> RunOptions {
    .quick {
      $0.lanes = laneCount
      $0.saveEvery = 15
      change(&$0)
    }
  }

  @Test func `three concurrent imports write the same verified store in every stack`() throws {
    let bench = try Self.bench()
    var digests: Set<String?> = []
    for topology in Topology.known where !topology.mayKeepEarlierValues {
      let outcome = try bench.run(topology, Self.options { $0.viewControllers = 3 })
      #expect(outcome.isVerified, "\(topology.title): \(outcome.complaints)")
      #expect(outcome.measures.lostEditsCount == 0 && outcome.measures.duplicatesCount == 0, "\(topology.title)")
      if topology.tolerates.isEmpty {
        #expect(outcome.measures.staleRowsCount == 0, "\(topology.title)")
        #expect(outcome.measures.visibleNanoseconds != nil, "\(topology.title)")
      }
      digests.insert(outcome.measures.storeDigest)
    }
    #expect(digests.count == 1)
    #expect(digests.first??.count == 64)
  }

  @Test(arguments: Topology.known)
  func `the number of contexts follows the lifetimes in the topology`(topology: Topology) throws {
    let screens = 2
    let options = Self.options {
      $0.viewControllers = screens
      // A stack with forms makes a context for each edit.
      $0.userEditInterval = .zero
    }
    let outcome = try Self.bench().run(topology, options)
    let expected = topology.contexts.reduce(0) { sum, context in
      switch context.lifetime {
      case .app: sum + 1
      case .lane: sum + Self.laneCount
      case .screen: sum + screens
      case .payload: sum + 9
      case .pool: sum + (context.poolSize ?? 0)
      case .edit: sum
      }
    }
    #expect(outcome.measures.contextsMadeCount == Int64(expected))
  }

  @Test(arguments: Topology.known)
  func `several lanes end verified when payloads arrive out of order`(topology: Topology) throws {
    // The payloads are a millisecond apart, each off by up to a refresh interval. The target of a link comes earlier in
    // the same lane.
    let bench = try Self.bench(mix: .insertsOnly)
    let outcome = try bench.run(topology, Self.options { $0.arrivalInterval = .milliseconds(1) })
    #expect(outcome.isVerified, "\(outcome.complaints)")
  }

  @Test(arguments: Topology.all)
  func `several lanes end verified with one connection`(topology: Topology) throws {
    let bench = try Self.bench(mix: Mix(inserts: 20, updates: 80, deletes: 0))
    let outcome = try bench.run(topology, Self.options { $0.connectionPool = 1 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
  }

  @Test(arguments: Topology.all)
  func `a run with an empty lane ends verified`(topology: Topology) throws {
    let outcome = try Self.bench(rows: 60).run(topology, Self.options { $0.warmup = 1 })
    #expect(outcome.isVerified, "\(outcome.complaints)")
  }
}
