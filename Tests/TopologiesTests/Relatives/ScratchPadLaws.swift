import ContextEngine
import TestSupport
import Testing
import Topologies

/// Forms of the user, which are saved or discarded.
@Suite struct ScratchPadLaws {
  private static let stacks: [Topology] = [.scratchPad, .masterAndChildren]

  @Test(arguments: stacks)
  func `a discarded form leaves nothing in main or in the store`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    let lasting = bench.contexts.count
    let events = try bench.events.entries {
      try bench.onMain {
        try main.event {
          let product = try #require(try main.products([3]).first)
          let form = bench.stack.beginEdit(ofScreen: 0)
          form.event {
            form.object(with: product.objectID)[Product.note] = .string("typed")
            form.delete(form.insert(Product.entity))
            _ = form.insert(Product.entity)
            #expect(form.hasChanges)
          }
          #expect(product[Product.note] == .null && !main.hasChanges)
        }
      }
      bench.settle()
    }
    #expect(events.filter { !$0.hasPrefix("form") } == [])
    #expect(bench.contexts.count == lasting)
    #expect(try bench.file.productCount(note: "typed") == 0)
    #expect(try bench.file.number("SELECT count(*) FROM ZPRODUCT") == 20)
  }

  @Test(arguments: stacks)
  func `a saved form reaches main and the store`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    try bench.edit(3, note: "typed")
    bench.settle()
    #expect(try bench.file.productCount(note: "typed") == 1)
    let note = try bench.onMain {
      try bench.uiContext().event { try #require(try bench.uiContext().products([3]).first)[Product.note] }
    }
    #expect(note == .string("typed"))
  }

  @Test(arguments: stacks)
  func `an open form keeps its values while main merges, and saves only what was typed`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let main = bench.uiContext()
    let form = try bench.onMain {
      try main.event {
        let product = try #require(try main.products([3]).first)
        let form = bench.stack.beginEdit(ofScreen: 0)
        form.event { form.object(with: product.objectID)[Product.note] = .string("typing") }
        return form
      }
    }
    bench.post([[.update(3, weight: 33)]])
    for _ in 0...bench.contexts.count {
      for context in bench.contexts.reversed() { context.performAndWait {} }
    }
    try bench.onMain {
      try form.event {
        let typed = try #require(form.updatedObjects.first)
        #expect(typed[Product.weight] == .integer(0))
        try bench.stack.saveEdit(in: form, ofScreen: 0)
      }
    }
    bench.settle()
    #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZNOTE = 'typing'") == 33)
  }
}
