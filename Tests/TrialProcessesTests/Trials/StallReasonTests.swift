import MachineCore
import Metrics
import Testing
import Topologies

/// Tests of the reasons for late frames, with simulated trials on a slow phone.
@Suite struct StallReasonTests {
  private func stalls(_ topology: String, connectionPool: Int = 4) throws -> [StallRow] {
    try TracedTrial(topology, isTraced: false, rows: 1_200, profile: "iphone-4s") { options in
      options.saveEvery = 400
      options.connectionPool = connectionPool
    }.record.stalls
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `a stall has a context of its stack and waits at most its duration`(topology: Topology) throws {
    for stall in try stalls(topology.title) {
      if let context = stall.reason.context { #expect(topology.contexts.map(\.name).contains(context)) }
      if let count = stall.reason.objectCount { #expect(count > 0) }
      #expect((stall.reason.waitedFor == nil) == (stall.reason.waited == nil))
      if let waited = stall.reason.waited { #expect(waited > .zero && waited <= stall.duration) }
      #expect(stall.cause == .idle || stall.cause == .other || stall.cause == .decode || stall.reason.context != nil)
    }
  }

  @Test func `a stall of an import on main has its context, objects and statement`() throws {
    let stalls = try stalls("all-main").filter {
      [.importing, .fetch, .save].contains($0.cause) && $0.duration > .milliseconds(40)
    }
    #expect(stalls.count >= 3)
    for stall in stalls {
      #expect(stall.reason.context == "main")
      #expect(stall.reason.statement?.isEmpty == false)
    }
    // Each of the 400 records of a unit is an object, and the objects that it links to may be counted too. Saves with
    // other numbers of objects are the user's.
    #expect(stalls.count { (100...1_200).contains($0.reason.objectCount ?? 0) } >= 3)
  }

  @Test(arguments: [
    ("worker-merge", 4, "writer's turn: save on worker"), ("worker-merge", 1, "coordinator: save on worker"),
    ("reversed-parent", 4, "root: save"), ("three-tier", 4, "root: save"),
  ])
  func `a stall of main during the import's save has the wait's label`(
    _ topology: String, _ connectionPool: Int, _ waitedFor: String
  ) throws {
    let waits = try stalls(topology, connectionPool: connectionPool).filter { $0.reason.waitedFor == waitedFor }
    #expect(!waits.isEmpty)
    for stall in waits where stall.cause == .wait {
      #expect(stall.reason.context == "main")
      #expect(stall.reason.waited.map { $0 > TimeSpan(nanoseconds: stall.duration.nanoseconds / 3) } == true)
    }
  }
}
