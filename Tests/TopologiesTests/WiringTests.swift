import ContextEngine
import TestSupport
import Testing
import Topologies

/// The contexts that a wired stack makes, as its topology describes them. A snapshot of `stackbench topologies` has the
/// descriptions of all known stacks.
@Suite struct WiringTests {
  // The contexts are those of the engine, and not the description's.
  @Test(arguments: Topology.known)
  func `a wired stack has the contexts of its topology, parents first`(topology: Topology) {
    do {
      let options = StackUnderTest.Options(
        screenEntities: [Product.entity.index, Supplier.entity.index], laneCount: 3)
      let bench = try StackUnderTest(topology, options)
      let count: (ContextDescription) -> Int = { description in
        switch description.lifetime {
        case .app: 1
        case .lane: 3
        case .screen: 2
        case .pool: description.poolSize ?? 0
        case .payload, .edit: 0
        }
      }
      let expected = topology.contexts.flatMap { Array(repeating: $0, count: count($0)) }
      #expect(bench.stack.lastingContexts.map(\.name) == expected.map(\.name))
      for (context, description) in zip(bench.stack.lastingContexts, expected) {
        expect(context, description)
      }
    } catch {
      Issue.record(error)
    }
  }

  private func expect(_ context: ManagedObjectContext, _ description: ContextDescription) {
    let type: ManagedObjectContext.ConcurrencyType =
      description.isConfined ? .confinement : description.queue == .main ? .mainQueue : .privateQueue
    #expect(context.concurrencyType == type)
    let queue = context.confiningQueue ?? context.queue
    #expect((queue === context.machine.mainQueue) == (description.queue == .main))
    #expect(context.parent?.name == description.parent)
    #expect(context.retainsRegisteredObjects == description.retainsRegisteredObjects)
    #expect(context.automaticallyMergesChangesFromParent == description.automaticallyMergesChanges)
    #expect(context.firesUpdatedObjectsBeforeMerging == description.firesUpdatedObjectsBeforeMerging)
    #expect(
      (context.run { context.queryGenerationToken } != nil) == (description.queryGeneration == .pinned))
    // The options of the wiring apply unless the topology sets another value.
    if description.parent == nil { #expect(context.mergePolicy == description.mergePolicy ?? .objectTrump) }
  }

  @Test(arguments: Topology.known)
  func `payloads and lanes share an import context according to its lifetime`(topology: Topology) throws {
    let bench = try StackUnderTest(topology, .init(laneCount: 2))
    let description = try #require(topology.contexts.first { $0.name == topology.importContext })
    let first = bench.stack.beginPayload(lane: 0)
    let again = bench.stack.beginPayload(lane: 0)
    let other = bench.stack.beginPayload(lane: 1)
    expect(first, description)
    #expect([first, again, other].allSatisfy { $0.name == topology.importContext })
    #expect((first === again) == ![.payload, .pool].contains(description.lifetime))
    #expect((first === other) == (description.lifetime == .app))
    if let parent = description.parent {
      #expect(first.parent === bench.contexts.first { $0.name == parent })
    }
  }

  @Test(arguments: Topology.known)
  func `a context with the lifetime of a payload is released after the payload`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let lasting = bench.contexts.count
    for number in 0..<3 { bench.importPayload([[.insert(100 + number)], [.insert(200 + number)]], number: number) }
    #expect(bench.contexts.count == lasting)
  }

  @Test(arguments: Topology.known)
  func `screens share the UI context unless there is one for each`(topology: Topology) throws {
    let options = StackUnderTest.Options(screenEntities: [Product.entity.index, Supplier.entity.index])
    let bench = try StackUnderTest(topology, options)
    let description = try #require(topology.context(named: topology.uiContext))
    #expect((bench.uiContext(0) === bench.uiContext(1)) == (description.lifetime != .screen))
    #expect(bench.uiContext(0).name == topology.uiContext && bench.uiContext(1).name == topology.uiContext)
  }
}
