import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// Children of one private master, and a main context on the master's coordinator.
@Suite struct MasterAndChildrenLaws {
  @Test func `main is fresh while another child gets out of date and meets deleted objects`() throws {
    let bench = try StackUnderTest(.masterAndChildren)
    let main = bench.uiContext()
    let inMain = try bench.onMain {
      try main.event {
        let product = try #require(try main.products([3]).first)
        _ = product[Product.weight]
        return product
      }
    }
    // The child is kept. It has read one product, and has a fault of another one.
    let kept = bench.stack.beginPayload(lane: 0)
    let (read, fault) = try kept.performAndWait {
      let products = try kept.products([3, 4])
      _ = products[0][Product.weight]
      try kept.refresh(products[1], mergeChanges: false)
      return (products[0], products[1])
    }
    bench.importPayload([[.update(3, weight: 33), .delete(4)]])
    #expect(bench.onMain { main.event { inMain[Product.weight] } } == .integer(33))
    kept.performAndWait {
      #expect(read[Product.weight] == .integer(0))
      #expect(fault.isFault && !fault.isDeleted)
      #expect(fault[Product.name] == .null)
    }
  }

  @Test func `each save of a child reaches the store without code of the child`() throws {
    let bench = try StackUnderTest(.masterAndChildren)
    bench.importPayload([[.insert(100)]])
    try bench.edit(3, note: "in a form")
    let main = bench.uiContext()
    try bench.onMain {
      try main.event {
        try #require(try main.products([5]).first)[Product.note] = .string("in main")
        try main.save()
      }
    }
    bench.settle()
    #expect(try bench.file.productCount(id: 100) == 1)
    for note in ["in a form", "in main"] { #expect(try bench.file.productCount(note: note) == 1) }
  }

  /// Fires a fault in main while a block holds the master's queue. The block is let go as soon as main waits for it.
  ///
  /// - Returns: The labels of what the main thread waited for.
  private func waits(_ topology: Topology) throws -> [String] {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    let master = try #require(bench.contexts.first { $0.name == "master" })
    let fault = try bench.onMain {
      try main.event {
        let product = try #require(try main.products([3]).first)
        try main.refresh(product, mergeChanges: false)
        return product
      }
    }
    let (isHeld, isFree) = (Gate(), Gate())
    master.perform {
      isHeld.open()
      isFree.pass()
    }
    isHeld.pass()
    let labels = Journal<String>()
    bench.mainThread.onWait { label in
      labels.write(label)
      isFree.open()
    }
    #expect(bench.onMain { main.event { fault[Product.name] } } == .string(Product.name(of: 3)))
    bench.mainThread.onWait(nil)
    isFree.open()
    bench.settle()
    return labels.entries
  }

  @Test func `main on the coordinator does not wait for the master, and main below it does`() throws {
    #expect(try waits(.masterAndChildren) == ["master"])
    #expect(try waits(.mainOnCoordinator) == [])
  }

  /// Returns the number of rows that main's first fetch loads.
  private func loadedCount(_ topology: Topology) throws -> Int? {
    let bench = try StackUnderTest(topology, .init(products: 40))
    try bench.openScreens()
    return bench.onMain { bench.screens.rows(0)?.loadedCount }
  }

  @Test func `the batch size has an effect only in main on the coordinator`() throws {
    #expect(try loadedCount(.masterAndChildren) == 40)
    #expect(try loadedCount(.mainOnCoordinator) == 10)
  }

  /// Saves a child's change of a product that main holds, and then main's change of it, before main has merged.
  ///
  /// - Returns: The number of conflicts.
  private func conflicts(_ topology: Topology) throws -> Int {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    try bench.onMain {
      try main.event {
        let product = try #require(try main.products([3]).first)
        _ = product[Product.weight]
        bench.post([[.update(3, weight: 33)]])
        while try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZREMOTEID = 3") != 33 {}
        product[Product.note] = .string("edited")
        try main.save()
      }
    }
    bench.settle()
    #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZNOTE = 'edited'") == 33)
    return bench.ledger.count(.conflict)
  }

  @Test func `main on the coordinator can conflict with the master, and main below it cannot`() throws {
    #expect(try conflicts(.masterAndChildren) == 0)
    #expect(try conflicts(.mainOnCoordinator) == 1)
  }
}
