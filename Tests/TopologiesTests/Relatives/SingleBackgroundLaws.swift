import ContextEngine
import TestSupport
import Testing
import Topologies

/// Imports that share one background context, and a main context on the same coordinator.
@Suite struct SingleBackgroundLaws {
  /// Returns the weight of a product, as the user sees it in main.
  private func weightInMain(_ bench: StackUnderTest, _ product: ManagedObject) -> Value {
    bench.onMain { bench.uiContext().event { product[Product.weight] } }
  }

  private func productInMain(_ bench: StackUnderTest) throws -> ManagedObject {
    try bench.onMain {
      try bench.uiContext().event {
        let product = try #require(try bench.uiContext().products([3]).first)
        _ = product[Product.weight]
        return product
      }
    }
  }

  @Test func `main gets an import only if its own automatic merging is on`() throws {
    for (variant, expected) in [(SingleBackgroundVariant.mainMerges, 71), (.backgroundMerges, 0)] {
      let bench = try StackUnderTest(.singleBackground(variant))
      let product = try productInMain(bench)
      let before = weightInMain(bench, product)
      bench.importPayload([[.update(3, weight: 71)]])
      #expect(weightInMain(bench, product) == (expected == 0 ? before : .integer(71)), "\(variant)")
      #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZREMOTEID = 3") == 71)
    }
  }

  @Test func `the background context gets an edit only if its own automatic merging is on`() throws {
    for variant in SingleBackgroundVariant.allCases {
      let bench = try StackUnderTest(.singleBackground(variant))
      let background = bench.stack.beginPayload(lane: 0)
      let product = try background.performAndWait {
        let product = try #require(try background.products([3]).first)
        _ = product[Product.note]
        return product
      }
      try bench.edit(3, note: "edited")
      bench.settle()
      let note = background.performAndWait { product[Product.note] }
      #expect(note == (variant == .backgroundMerges ? .string("edited") : .null), "\(variant)")
    }
  }

  /// Runs two units that change the same row, each in the context of its lane. The second begins while the first is in
  /// the middle, if their contexts permit it.
  ///
  /// - Returns: The number of conflicts.
  private func conflicts(_ topology: Topology) throws -> Int {
    let bench = try StackUnderTest(topology, .init(laneCount: 2))
    let contexts = (0..<2).map { bench.stack.beginPayload(lane: $0) }
    let secondIsDone = Gate()
    let firstHasRead = Gate()
    contexts[0].perform {
      do throws(PersistenceError) {
        let product = try contexts[0].products([3])[0]
        _ = product[Product.weight]
        firstHasRead.open()
        // One context runs its units in turn: the second waits for this one.
        if contexts[0] !== contexts[1] { secondIsDone.pass() }
        product[Product.weight] = .integer(1)
        try contexts[0].save()
      } catch {
        bench.screens.failures.write("\(error)")
      }
    }
    firstHasRead.pass()
    contexts[1].perform {
      do throws(PersistenceError) {
        try contexts[1].products([3])[0][Product.weight] = .integer(2)
        try contexts[1].save()
      } catch {
        bench.screens.failures.write("\(error)")
      }
      secondIsDone.open()
    }
    bench.settle()
    return bench.ledger.count(.conflict)
  }

  @Test func `two imports of one row never conflict in one context, and conflict in two`() throws {
    #expect(try conflicts(.singleBackground(.mainMerges)) == 0)
    #expect(try conflicts(.workerMerge(.notification)) == 1)
  }
}
