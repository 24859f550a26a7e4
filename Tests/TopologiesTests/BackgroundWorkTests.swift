import ContextEngine
import Testing
import Topologies

/// The contexts of work in the background that is not an import.
@Suite struct BackgroundWorkTests {
  @Test(arguments: Topology.known)
  func `background work has a context like the import's, which the lanes do not use unless there is only one`(
    topology: Topology
  ) throws {
    let bench = try StackUnderTest(topology, .init(hasBackgroundWork: true))
    let context = bench.stack.backgroundContext()
    let lane = bench.stack.beginPayload(lane: 0)
    let lifetime = try #require(topology.context(named: topology.importContext)).lifetime
    #expect(context.name == topology.importContext)
    #expect(context.parent === lane.parent && context.coordinator === lane.coordinator)
    #expect((context === lane) == (lifetime == .app))
    #expect(bench.stack.hasBackgroundWorkOnMain == (topology == .allMain))
  }

  @Test(arguments: Topology.known)
  func `a stack without background work has no further context`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let withWork = try StackUnderTest(topology, .init(hasBackgroundWork: true))
    let lifetime = try #require(topology.context(named: topology.importContext)).lifetime
    let added = withWork.stack.lastingContexts.count - bench.stack.lastingContexts.count
    #expect(added == (lifetime == .lane ? 1 : 0))
  }
}
