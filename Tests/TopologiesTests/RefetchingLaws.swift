import TestSupport
import Testing
import Topologies

/// The screens that are fetched again, the times of the fetches, and the number of their blocks.
@Suite struct RefetchingLaws {
  private static let product = Product.entity.index
  private static let supplier = Supplier.entity.index

  private func bench(_ topology: Topology) throws -> StackUnderTest {
    let bench = try StackUnderTest(
      topology, .init(screenEntities: [Self.product, Self.supplier, Self.product, Self.supplier]))
    try bench.openScreens()
    return bench
  }

  @Test func `an edit in one screen's context makes other screens of the entity fetch again`() throws {
    let bench = try bench(.perViewController)
    try bench.edit(3, note: "edited", screen: 0)
    bench.settle()
    #expect(bench.screens.refetches.entries == [.init(screens: [2])])
    try bench.edit(3, note: "edited again", screen: 2)
    bench.settle()
    #expect(bench.screens.refetches.entries == [.init(screens: [2]), .init(screens: [0])])
    for screen in [0, 2] {
      let note = try bench.onMain {
        try bench.uiContext(screen).event { try bench.uiContext(screen).products([3]).first?[Product.note] }
      }
      #expect(note == .string("edited again"))
    }
  }

  @Test func `a payload makes screens of its entities fetch again, each in its own block`() throws {
    let bench = try bench(.perViewController)
    bench.importPayload([[.insert(100)], [.insert(101)], [.update(3, weight: 7)]], number: 0)
    #expect(bench.screens.refetches.entries == [.init(screens: [0], payload: 0), .init(screens: [2], payload: 0)])
    bench.importPayload([[.insertSupplier(1)]], number: 1)
    #expect(
      bench.screens.refetches.entries.suffix(2) == [
        .init(screens: [1], payload: 1), .init(screens: [3], payload: 1),
      ])
    bench.importPayload([[.insertSupplier(2)], [.insert(102)]], number: 2)
    #expect(bench.screens.refetches.entries.suffix(4) == (0..<4).map { .init(screens: [$0], payload: 2) })
    let blocks = bench.screens.refetchBlocks.entries
    #expect(Set(blocks).count == blocks.count)
    #expect(bench.onMain { (0..<4).map { bench.screens.rows($0)?.count } } == [23, 2, 23, 2])
  }

  @Test func `resetting main makes all screens fetch again in one block per payload`() throws {
    let bench = try bench(.workerMerge(.reset))
    for number in 0..<3 {
      bench.importPayload([[.insert(100 + number)], [.insertSupplier(number)], [.delete(number)]], number: number)
    }
    #expect(bench.screens.refetches.entries == (0..<3).map { .init(screens: [0, 1, 2, 3], payload: $0) })
    #expect(bench.events.entries.count { $0 == "main did-change, reset" } == 3)
    #expect(bench.onMain { (0..<4).map { bench.screens.rows($0)?.count } } == [20, 3, 20, 3])
  }

  @Test(arguments: Topology.known)
  func `screens fetch again only in worker-merge with reset and in per-view-controller`(topology: Topology) throws {
    let bench = try bench(topology)
    try bench.edit(3, note: "edited")
    bench.importPayload([[.insert(100)], [.insertSupplier(1)]])
    let refetches = bench.screens.refetches.entries.count
    let expected = ["worker-merge/reset": 1, "per-view-controller": 5]
    #expect(refetches == expected[topology.title, default: 0])
  }

  @Test func `reading an unfetched property of a screen's row runs one query`() throws {
    let bench = try bench(.perViewController)
    try bench.onMain {
      try bench.uiContext().event {
        let row = try #require(bench.screens.rows(0)?.first)
        let shown = bench.statements.entries { _ = row[Product.name] }
        #expect(shown.isEmpty)
        let other = bench.statements.entries { _ = row[Product.weight] }
        #expect(other.count == 1 && other[0].isRead)
        #expect(bench.statements.entries { _ = row[Product.note] }.isEmpty)
      }
    }
  }
}
