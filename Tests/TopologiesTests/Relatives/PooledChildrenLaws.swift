import ContextEngine
import TestSupport
import Testing
import Topologies

/// Children of main that are used again for later payloads.
@Suite struct PooledChildrenLaws {
  @Test func `payloads take the contexts of the pool in turn`() throws {
    let bench = try StackUnderTest(.pooledChildren, .init(laneCount: 2))
    let taken = (0..<7).map { bench.stack.beginPayload(lane: $0 % 2) }
    #expect(Set(taken.map(ObjectIdentifier.init)).count == 3)
    for index in 3..<7 { #expect(taken[index] === taken[index - 3]) }
  }

  @Test func `a context of the pool keeps old values and deleted objects of earlier payloads`() throws {
    let bench = try StackUnderTest(.pooledChildren)
    let first = bench.stack.beginPayload(lane: 0)
    let (changed, deleted) = try first.performAndWait {
      let products = try first.products([3, 4])
      return (products[0], products[1])
    }
    #expect(first.performAndWait { [changed[Product.weight], deleted[Product.weight]] } == [.integer(0), .integer(0)])
    bench.importPayload([[.update(3, weight: 33), .delete(4)]])
    bench.importPayload([[.insert(100)]], number: 1)
    let again = bench.stack.beginPayload(lane: 0)
    #expect(again === first)
    // A fetch returns the object that is registered, with the values that it has.
    let fetched = try again.performAndWait { try again.products([3]).first }
    again.performAndWait {
      #expect(fetched === changed)
      #expect(changed[Product.weight] == .integer(0))
      #expect(!deleted.isDeleted && deleted[Product.weight] == .integer(0))
    }
  }

  @Test func `a context of the pool loses an update to a value that it believes is there`() throws {
    let (pooled, fresh) = (Topology.pooledChildren, Topology.childOfMain)
    for (topology, expected) in [(pooled, 7), (fresh, 5)] {
      let bench = try StackUnderTest(topology)
      bench.importPayload([[.update(3, weight: 5)]])
      for number in 1...2 { bench.importPayload([[.update(3, weight: 7)]], number: number) }
      // The context that takes its turn again believes that the weight is 5.
      bench.importPayload([[.update(3, weight: 5)]], number: 3)
      #expect(
        try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZREMOTEID = 3") == expected, "\(topology.title)")
    }
  }
}
