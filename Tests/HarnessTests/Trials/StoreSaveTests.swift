import Harness
import MachineCore
import Metrics
import Testing
import Topologies
import Workloads

/// Trials of the stacks whose root may delay its saves. The suite is serialized, because the tests measure time.
@Suite(.serialized) struct StoreSaveTests {
  private static let rooted = Topology.known.filter { $0.savingRoot != nil }
  private static let interval = TimeSpan.milliseconds(40)
  private static let payloadCount: Int64 = 8

  /// Returns a bench with eight payloads, each with inserts, one every 40 ms.
  private static func bench() throws -> TrialBench {
    try TrialBench(rows: 240, existingRows: 150, batchSize: 30)
  }

  private static func options(_ storeSave: StoreSave, edits: TimeSpan = .zero) -> RunOptions {
    .quick {
      $0.storeSave = storeSave
      $0.userEditInterval = edits
      $0.arrivalInterval = interval
      // Every entity is on a screen, so some rows of every payload are too.
      $0.viewControllers = 3
    }
  }

  /// The least time from w₀ to the intended arrival of the last payload.
  private static var lastArrival: Int64 { (interval * (payloadCount - 1)).nanoseconds }

  @Test(arguments: Topology.known)
  func `savingRoot is the private context that saves the user's edits to the store`(topology: Topology) {
    let writer = topology.chain(from: topology.editContext ?? topology.uiContext).last
    #expect(topology.savingRoot == (writer?.queue == .private ? writer?.name : nil))
  }

  @Test(arguments: rooted)
  func `every mode of root saves ends durable, visible and with the same store`(topology: Topology) throws {
    let bench = try Self.bench()
    let modes: [StoreSave] = [
      .immediate, .every(.milliseconds(30)), .every(.milliseconds(200)), .idle(.milliseconds(60)), .atEnd,
    ]
    var digests: Set<String?> = []
    for mode in modes {
      for isOpenLoop in [true, false] {
        var options = Self.options(mode, edits: .milliseconds(15))
        options.arrivalInterval = isOpenLoop ? Self.interval : .zero
        let outcome = try bench.run(topology, options)
        #expect(outcome.isVerified, "\(mode): \(outcome.complaints)")
        #expect(outcome.measures.editAtRiskNanosecondsMaximum != nil, "\(mode)")
        #expect(outcome.measures.visibleNanoseconds != nil, "\(mode)")
        digests.insert(outcome.measures.storeDigest)
      }
    }
    #expect(digests.count == 1)
  }

  @Test(arguments: rooted)
  func `a root that saves at the end saves once, after the last payload`(topology: Topology) throws {
    let bench = try Self.bench()
    let immediate = try bench.run(topology, Self.options(.immediate)).measures
    let outcome = try bench.run(topology, Self.options(.atEnd))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let atEnd = outcome.measures
    // The two commits are of the keys and of the rows.
    #expect(atEnd.commitsCount == 2)
    #expect(try #require(immediate.commitsCount) >= 2 * 4)
    #expect(try #require(atEnd.timeToDurableNanosecondsMaximum) >= Self.lastArrival)
    #expect(try #require(atEnd.rowsWrittenCount) <= (try #require(immediate.rowsWrittenCount)))
  }

  @Test func `a deferred save leaves pushed payloads at risk and delays merged ones`() throws {
    let bench = try Self.bench()
    let pushing = try bench.run(.threeTier, Self.options(.atEnd)).measures
    // Payload 0 was on the screen some frames after its arrival, and durable after the arrival of the last payload.
    #expect(try #require(pushing.atRiskNanosecondsMaximum) >= Self.lastArrival / 2)
    for topology in [Topology.reversedParent(.root), .reversedParent(.child)] {
      let merging = try bench.run(topology, Self.options(.atEnd)).measures
      #expect(merging.atRiskNanosecondsMaximum == 0)
      #expect(try #require(merging.timeToVisibleNanosecondsMaximum) >= Self.lastArrival)
    }
  }

  @Test(arguments: rooted)
  func `a root that saves periodically saves at most once per period`(topology: Topology) throws {
    let period = TimeSpan.milliseconds(100)
    let outcome = try Self.bench().run(topology, Self.options(.every(period)))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    let saves = try #require(outcome.measures.commitsCount) / 2
    let window = try #require(outcome.measures.windowNanoseconds)
    #expect(saves >= 2)
    #expect(saves <= window / period.nanoseconds + 1)
    #expect(try #require(outcome.measures.timeToDurableNanosecondsMaximum) >= period.nanoseconds)
  }

  @Test(arguments: rooted)
  func `a root that saves when idle waits after the last payload`(topology: Topology) throws {
    let idle = TimeSpan.milliseconds(700)
    let outcome = try Self.bench().run(topology, Self.options(.idle(idle)))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(outcome.measures.commitsCount == 2)
    #expect(try #require(outcome.measures.timeToDurableNanosecondsMaximum) >= Self.lastArrival + idle.nanoseconds)
  }

  @Test(arguments: rooted)
  func `a root that saves when idle becomes durable despite constant edits`(topology: Topology) throws {
    let idle = TimeSpan.milliseconds(300)
    let outcome = try Self.bench().run(topology, Self.options(.idle(idle), edits: .milliseconds(10)))
    #expect(outcome.isVerified, "\(outcome.complaints)")
    #expect(try #require(outcome.measures.timeToDurableNanosecondsMaximum) >= idle.nanoseconds)
  }
}
