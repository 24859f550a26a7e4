import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// The lists on screen while an import runs.
@Suite struct ListLaws {
  /// A row of a list as plain values.
  struct Shown: Equatable, Sendable {
    var id: Value
    var weight: Value

    init(_ product: ManagedObject) {
      id = product[Product.remoteID]
      weight = product[Product.weight]
    }
  }

  private static let units: [[Change]] = (0..<6).map { number in
    [.insert(100 + number), .insert(200 + number), .update(number, weight: 50 + number), .delete(30 + number)]
  }

  private func listOnScreen(_ bench: StackUnderTest, _ screen: Int = 0) throws -> [Shown] {
    try bench.onMain {
      try bench.uiContext(screen).event { try #require(bench.screens.rows(screen)).map { Shown($0) } }
    }
  }

  private func freshList(_ bench: StackUnderTest) throws -> [Shown] {
    try bench.inStore { context in
      let order = [FetchSortDescriptor(Product.name), FetchSortDescriptor(Product.remoteID)]
      return try context.fetch(FetchRequest(Product.entity, sortDescriptors: order)).map { Shown($0) }
    }
  }

  @Test(arguments: Those.following)
  func `a following controller runs no list query while units are imported`(topology: Topology) throws {
    let bench = try StackUnderTest(topology, .init(products: 40))
    let opening = try bench.statements.entries { try bench.openScreens() }
    #expect(opening.count { $0.isListQuery } == 1)
    // The list is scrolled through once. A row that the context never registered causes no event when another context
    // deletes it.
    #expect(try listOnScreen(bench).count == 40)
    let statements = bench.statements.entries { bench.importPayload(Self.units) }
    #expect(statements.filter(\.isListQuery).map(\.sql) == [])
    #expect(statements.contains { $0.isRead })
    #expect(try listOnScreen(bench) == freshList(bench))
    #expect(try listOnScreen(bench).count == 46)
  }

  @Test(arguments: Topology.known.filter { topology in !Those.following.contains(topology) })
  func `a list shows imported rows unless the stack tolerates stale rows`(topology: Topology) throws {
    let bench = try StackUnderTest(topology, .init(products: 40))
    try bench.openScreens()
    let before = try listOnScreen(bench).map(\.id)
    bench.importPayload([[.insert(100), .insert(200)], [.update(3, weight: 7), .insert(101)]])
    if topology.tolerates.contains(.staleRows) {
      #expect(try listOnScreen(bench).map(\.id) == before)
    } else {
      #expect(try listOnScreen(bench) == freshList(bench))
      #expect(try listOnScreen(bench).count == 43)
    }
  }

  @Test func `the first fetch loads all rows in a child context, else the visible ones`() throws {
    for topology in Topology.known {
      let bench = try StackUnderTest(topology, .init(products: 40))
      try bench.openScreens()
      let isBelow = topology.contexts.first { $0.name == topology.uiContext }?.parent != nil
      let loaded = bench.onMain { bench.screens.rows(0)?.loadedCount }
      #expect(loaded == (isBelow ? 40 : 10), "\(topology.title)")
    }
  }

  @Test(arguments: [Topology.allMain, .childOfMain, .threeTier])
  func `a new controller after an import finds one object per row, the pushed instances`(topology: Topology) throws {
    let pushed = Journal<ManagedObject>()
    let bench = try StackUnderTest(topology) { context in
      guard context.name == topology.uiContext else { return }
      _ = context.observeDidChange { change in
        for object in change.inserted { pushed.write(object) }
      }
    }
    bench.importPayload([[.insert(100), .insert(101)], [.insert(102)]])
    let rowCount = try bench.file.number("SELECT count(*) FROM ZPRODUCT")
    #expect(rowCount == 23)
    try bench.openScreens()
    try bench.onMain {
      try bench.uiContext().event {
        let list = try #require(bench.screens.rows(0))
        #expect(list.count == rowCount)
        #expect(Set(list.map { $0[Product.remoteID] }).count == rowCount)
        #expect(pushed.entries.count == 3)
        for object in pushed.entries {
          #expect(list.contains { $0 === object }, "\(object[Product.remoteID])")
        }
      }
    }
  }

  @Test(arguments: [Topology.childOfMain, .threeTier])
  func `an object that is imported, saved and edited on main stays one row`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    bench.importPayload([[.insert(100)]])
    try bench.edit(100, note: "edited")
    bench.settle()
    bench.importPayload([[.update(100, weight: 9)]], number: 1)
    #expect(try bench.file.number("SELECT count(*) FROM ZPRODUCT WHERE ZREMOTEID = 100") == 1)
    #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZREMOTEID = 100 AND ZNOTE = 'edited'") == 9)
    #expect(try listOnScreen(bench) == freshList(bench))
  }
}
