import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// The objects that a merge into the UI context changes, and the saves that are not merged.
@Suite struct MergingLaws {
  @Test(arguments: Those.passingOver)
  func `a merge refreshes only registered and realised objects, without SQL`(topology: Topology) throws {
    let refreshes = Journal<Int>()
    let merges = Journal<Int>()
    let bench = try StackUnderTest(topology) { context in
      guard context.name == topology.uiContext else { return }
      _ = context.observeDidChange { change in
        if case .merge = change.origin { refreshes.write(change.refreshed.count) }
      }
    }
    // The number of statements at the beginning and at the end of the merge. No other code runs in between.
    _ = bench.uiContext().observeMerges { [statements = bench.statements] merge in
      if merge.stage != .posted { merges.write(statements.entries.count) }
    }
    let (realised, faults) = try bench.onMain {
      try bench.uiContext().event {
        let registered = try bench.uiContext().products(0..<7)
        // The look-up read them all; the last two become faults again.
        for fault in registered.suffix(2) { try bench.uiContext().refresh(fault, mergeChanges: false) }
        return (Array(registered.prefix(5)), Array(registered.suffix(2)))
      }
    }
    bench.importPayload([(0..<10).map { .update($0, weight: 70 + $0) }])
    #expect(refreshes.entries == [5])
    try #require(merges.entries.count == 2)
    #expect(merges.entries[0] == merges.entries[1])
    #expect(bench.ledger.count(.changeMergedRealised) == 5)
    #expect(bench.ledger.count(.changeMergedFault) == 2)
    #expect(bench.ledger.count(.changeMergedUnregistered) == 3)
    bench.onMain {
      bench.uiContext().event {
        #expect(realised.map { $0[Product.weight] } == (0..<5).map { .integer(Int64(70 + $0)) })
        #expect(faults.allSatisfy { $0.isFault })
      }
    }
  }

  @Test(arguments: Those.merging)
  func `a merge refreshes every updated object if the context fires faults first`(topology: Topology) throws {
    var topology = topology
    for index in topology.contexts.indices where topology.contexts[index].name == topology.uiContext {
      topology.contexts[index].firesUpdatedObjectsBeforeMerging = true
    }
    let refreshes = Journal<Int>()
    let bench = try StackUnderTest(topology) { [name = topology.uiContext] context in
      guard context.name == name else { return }
      _ = context.observeDidChange { change in
        if case .merge = change.origin { refreshes.write(change.refreshed.count) }
      }
    }
    bench.importPayload([(0..<10).map { .update($0, weight: 70 + $0) }])
    #expect(refreshes.entries == [10])
    #expect(bench.ledger.count(.changeMergedRealised) == 10)
    #expect(bench.ledger.count(.changeMergedUnregistered) == 0)
  }

  @Test(arguments: Those.merging)
  func `a merge keeps the unsaved changes of the user`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    let context = bench.uiContext()
    let product = try bench.onMain {
      try context.event { () throws -> ManagedObject in
        let product = try #require(try context.products([4]).first)
        product[Product.note] = .string("typing")
        return product
      }
    }
    bench.post([[.update(4, weight: 44)]])
    bench.waitForMerges()
    try bench.onMain {
      try context.event {
        #expect(product[Product.note] == .string("typing"))
        #expect(product[Product.weight] == .integer(44))
        try context.save()
      }
    }
    bench.settle()
    #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZNOTE = 'typing'") == 44)
  }

  @Test(arguments: ReversedParentVariant.allCases)
  func `a root save with only the pushes of main is not merged`(variant: ReversedParentVariant) throws {
    let bench = try StackUnderTest(.reversedParent(variant))
    try bench.openScreens()
    try bench.edit(3, note: "edited")
    bench.settle()
    #expect(bench.screens.postedMerges.entries == [])
    #expect(bench.screens.skippedMerges.entries == ["root"])
    bench.importPayload([[.insert(100)]])
    #expect(bench.screens.postedMerges.entries == ["root"])
    try bench.edit(100, note: "edited")
    bench.settle()
    #expect(bench.screens.postedMerges.entries == ["root"])
    #expect(bench.screens.skippedMerges.entries == ["root", "root"])
  }

  @Test(arguments: ReversedParentVariant.allCases)
  func `a root save is merged if the import changed the same object`(variant: ReversedParentVariant) throws {
    let bench = try StackUnderTest(.reversedParent(variant))
    let main = bench.uiContext()
    let root = try #require(bench.contexts.first)
    let product = try bench.onMain { try main.event { try #require(try main.products([3]).first) } }
    // Root is busy; main's push gets in line; the unit gets in line behind it and before root's save.
    let isInLine = Gate()
    let isFree = Gate()
    root.perform { isFree.pass() }
    bench.mainThread.onWait { label in
      if label == "root" { isInLine.open() }
    }
    bench.machine.mainQueue.async { [screens = bench.screens] in
      main.event {
        do throws(PersistenceError) {
          product[Product.note] = .string("edited")
          try main.save()
        } catch {
          screens.failures.write("\(error)")
        }
      }
    }
    isInLine.pass()
    bench.mainThread.onWait(nil)
    bench.post([[.update(3, weight: 33)]])
    isFree.open()
    bench.settle()
    #expect(try bench.file.number("SELECT ZWEIGHT FROM ZPRODUCT WHERE ZNOTE = 'edited'") == 33)
    let weight = bench.onMain { main.event { product[Product.weight] } }
    #expect(weight == .integer(33))
  }
}
