import ContextEngine
import Harness
import Metrics
import TestSupport
import Testing
import Topologies

/// Simulated trials in which the user deletes the input of computations, under each policy.
@Suite struct InFlightTrialTests {
  /// Half of the CPU time of a computation.
  private static let half: Int64 = 100_000_000

  private static let known = SharedValues<String, TrialMeasures>()

  /// Returns the measures of a trial that runs once for all tests.
  private static func measures(_ topology: String, _ policy: RunOptions.InFlight) throws -> TrialMeasures {
    try known.value(for: "\(topology), \(policy)") { try measures(topology, policy) { _ in } }
  }

  /// Runs a trial of 20 payloads, one every 100 ms, in which several computations begin.
  private static func measures(
    _ topology: String, _ policy: RunOptions.InFlight, rows: Int = 1_000, configure: (inout RunOptions) -> Void
  ) throws -> TrialMeasures {
    try TracedTrial(topology, isTraced: false, rows: rows) { options in
      options.inFlight = policy
      options.arrivalInterval = .milliseconds(100)
      configure(&options)
    }.record.measures
  }

  private static let worker = "worker-merge/notification"

  // MARK: Policies

  @Test func `without a policy every result of worker-merge meets the deletion, and its save brings the row back`()
    throws
  {
    let measures = try Self.measures(Self.worker, .none)
    #expect(try #require(measures.inFlightStartedCount) >= 3)
    #expect(measures.inFlightFailedCount == measures.inFlightStartedCount)
    #expect(measures.inFlightRestoredCount == measures.inFlightStartedCount)
    #expect(try #require(measures.inFlightWaitNanosecondsMaximum) < Self.half)
    #expect(measures.verified == 1)
  }

  @Test func `under the error policy the save of the result fails, and the row stays deleted`() throws {
    let measures = try Self.measures(Self.worker, .none) { $0.mergePolicy = .error }
    #expect(measures.inFlightFailedCount == measures.inFlightStartedCount)
    #expect(measures.inFlightRestoredCount == 0)
    #expect(measures.verified == 1)
  }

  @Test(arguments: ["child-of-main", "three-tier", "reversed-parent/root", "reversed-parent/child"])
  func `without a policy a parent that has lost the row does not restore it`(topology: String) throws {
    let measures = try Self.measures(topology, .none)
    #expect(try #require(measures.inFlightFailedCount) > 0)
    #expect(measures.inFlightRestoredCount == 0)
    #expect(measures.verified == 1)
  }

  @Test func `all-main needs no policy, because the deletion waits for the main queue`() throws {
    for policy in [RunOptions.InFlight.none, .modal, .lock, .validate] {
      let measures = try Self.measures("all-main", policy)
      #expect(measures.inFlightAppliedCount == measures.inFlightStartedCount, "\(policy)")
      #expect(try #require(measures.inFlightWaitNanosecondsP50) >= Self.half, "\(policy)")
    }
  }

  @Test(arguments: Topology.all.map(\.title))
  func `behind a dialog every result is applied, and the deletion waits for the rest of the computation`(
    topology: String
  ) throws {
    let measures = try Self.measures(topology, .modal)
    #expect(measures.inFlightAppliedCount == measures.inFlightStartedCount)
    #expect(measures.inFlightRestoredCount == 0)
    #expect(try #require(measures.inFlightWaitNanosecondsP50) >= Self.half)
    // An edit that is due at the start of a computation waits for all of it.
    let others = try Self.measures(topology, .lock)
    if topology != "all-main" {
      #expect(
        try #require(measures.editResponseNanosecondsMaximum) > (try #require(others.editResponseNanosecondsMaximum)))
    }
  }

  @Test(arguments: Topology.all.map(\.title).filter { $0 != "all-main" })
  func `of two deletions that meet a lock, one waits and the other cancels`(topology: String) throws {
    let measures = try Self.measures(topology, .lock)
    let started = try #require(measures.inFlightStartedCount)
    #expect(started >= 2)
    #expect(measures.inFlightCancelledCount == started / 2)
    #expect(measures.inFlightAppliedCount == started - started / 2)
    #expect(measures.inFlightFailedCount == 0)
    #expect(try #require(measures.inFlightWaitNanosecondsMaximum) >= Self.half)
  }

  @Test(arguments: Topology.all.map(\.title).filter { $0 != "all-main" })
  func `a result is discarded if its input has gone, and the deletion does not wait`(topology: String) throws {
    let measures = try Self.measures(topology, .validate)
    #expect(try #require(measures.inFlightDiscardedCount) > 0)
    #expect(measures.inFlightFailedCount == 0)
    #expect(measures.inFlightRestoredCount == 0)
    let waiting = try Self.measures(topology, .modal)
    #expect(try #require(measures.inFlightWaitNanosecondsP50) < (try #require(waiting.inFlightWaitNanosecondsP50)))
  }

  // MARK: Data

  @Test(arguments: Topology.knownInOneProcess)
  func `every computation has one end, and every policy leaves the data of a run without computations`(
    topology: Topology
  ) throws {
    let digest = try Self.measures(topology.title, .off).storeDigest
    for policy in RunOptions.InFlight.allCases where policy != .off {
      let measures = try Self.measures(topology.title, policy)
      #expect(measures.verified == 1 && measures.storeDigest == digest, "\(policy)")
      let started = try #require(measures.inFlightStartedCount)
      let ends = ["applied", "failed", "discarded", "cancelled"].map { measures["in_flight_\($0)_count"] ?? 0 }
      #expect(started > 0 && ends.reduce(0, +) == started, "\(policy)")
      if policy != .validate { #expect(measures.inFlightDiscardedCount == 0, "\(policy)") }
      if policy != .lock { #expect(measures.inFlightCancelledCount == 0, "\(policy)") }
      // There the worker's save returns before the master has saved, and main can delete the row in between.
      let isUnlockedEarly = topology == .mainOnCoordinator
      if policy == .modal || policy == .lock, !isUnlockedEarly {
        #expect(measures.inFlightFailedCount == 0, "\(policy)")
      }
    }
  }

  @Test(arguments: [MergePolicy.error, .storeTrump, .overwrite, .rollback])
  func `the data is right under every merge policy`(policy: MergePolicy) throws {
    for topology in Topology.all {
      for inFlight in [RunOptions.InFlight.none, .validate] {
        let measures = try Self.measures(topology.title, inFlight) { $0.mergePolicy = policy }
        #expect(measures.verified == 1, "\(topology.title), \(inFlight)")
      }
    }
  }

  @Test func `a dialog does not help if the parent of the worker saves after it is closed`() throws {
    // The import runs without pauses, so that the master is busy when the dialog is closed. There are no edits, because
    // they would meet conflicts themselves.
    func measures(_ policy: MergePolicy) throws -> TrialMeasures {
      try Self.measures("main-on-coordinator", .modal, rows: 6_000) { options in
        options.mergePolicy = policy
        options.arrivalInterval = .zero
        options.userEditInterval = .zero
      }
    }
    let (restoring, failing) = (try measures(.objectTrump), try measures(.error))
    #expect(try #require(restoring.inFlightRestoredCount) > 0)
    #expect(try #require(failing.inFlightFailedCount) > 0)
    #expect(failing.inFlightRestoredCount == 0)
    #expect(restoring.verified == 1 && failing.verified == 1)
  }
}
