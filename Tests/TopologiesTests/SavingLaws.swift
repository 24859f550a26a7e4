import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// The contexts and the store that a save reaches by itself and by the rules.
@Suite struct SavingLaws {
  /// The state inside a context's did-save, before any rule can react to it.
  struct Finding: Equatable, Sendable {
    var context: String
    /// The number of rows of the saved kind in the file, as another process would find them.
    var rowCount: Int
    /// True if the parent has unsaved changes, or nil if the parent is the store.
    var isParentDirty: Bool?
  }

  /// Returns a stack whose contexts, on their own queues and inside each save, look at the file and at their parents.
  private static func watched(
    _ topology: Topology, _ rowCount: @escaping @Sendable (StoreFile) throws -> Int
  ) throws -> (bench: StackUnderTest, findings: Journal<Finding>) {
    let findings = Journal<Finding>()
    let file = Guarded<StoreFile?>(nil)
    let bench = try StackUnderTest(topology) { context in
      _ = context.observeDidSave { save in
        guard let file = file.withLock({ $0 }) else { return }
        let parent = save.context.parent
        findings.write(
          Finding(
            context: save.context.name, rowCount: (try? rowCount(file)) ?? -1,
            isParentDirty: parent.map { parent in parent.performAndWait { parent.hasChanges } }))
      }
    }
    file.withLock { $0 = bench.file }
    return (bench, findings)
  }

  /// Returns the names of the contexts from the given one up to the store.
  private static func chain(from name: String, in topology: Topology) -> [String] {
    var names: [String] = []
    var next: String? = name
    while let name = next {
      names.append(name)
      next = topology.contexts.first { $0.name == name }?.parent
    }
    return names
  }

  private static func expected(_ chain: [String]) -> [Finding] {
    chain.enumerated().map { level, name in
      let isTop = level == chain.count - 1
      return Finding(context: name, rowCount: isTop ? 1 : 0, isParentDirty: isTop ? nil : true)
    }
  }

  @Test(arguments: Topology.known)
  func `each save of an import reaches its parent, and rules save to the store`(topology: Topology) throws {
    let (bench, findings) = try Self.watched(topology) { try $0.productCount(id: 100) }
    bench.importPayload([[.insert(100)]])
    #expect(findings.entries == Self.expected(Self.chain(from: topology.importContext, in: topology)))
    #expect(try bench.file.productCount(id: 100) == 1)
  }

  @Test(arguments: Topology.known)
  func `each save of an edit reaches its parent, and rules save to the store`(topology: Topology) throws {
    let (bench, findings) = try Self.watched(topology) { try $0.productCount(note: "edited") }
    try bench.edit(3, note: "edited")
    bench.settle()
    #expect(
      findings.entries == Self.expected(Self.chain(from: topology.editContext ?? topology.uiContext, in: topology)))
    #expect(try bench.file.productCount(note: "edited") == 1)
  }

  @Test func `root saves posted while the root is busy become one save`() throws {
    let bench = try StackUnderTest(.threeTier)
    let root = try #require(bench.contexts.first)
    let commits = Journal<Int>()
    _ = root.observeDidSave { save in commits.write(save.updated.count) }
    try bench.onMain {
      let context = bench.uiContext()
      try context.event {
        let products = try context.products(0..<3)
        // This thread holds root until its three saves are made and posted.
        try root.performAndWait {
          for product in products {
            product[Product.note] = .string("edited")
            try context.save()
          }
        }
      }
    }
    bench.settle()
    #expect(commits.entries == [3])
    #expect(try bench.file.productCount(note: "edited") == 3)
  }

  @Test(arguments: Topology.known)
  func `a save without changes causes no further work`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    bench.settle()
    let kinds: [Work.Kind] = [.saveBegun, .commit, .mergeBegun, .fetchBegun, .perform]
    let before = kinds.map { bench.ledger.count($0) }
    let saves = Journal<String>()
    let tokens = bench.contexts.map { context in
      context.observeDidSave { save in saves.write("\(context.name) \(save.isEmpty)") }
    }
    let contexts = bench.contexts
    for context in contexts { try context.run { try context.save() } }
    bench.settle()
    #expect(saves.entries == contexts.map { "\($0.name) true" })
    #expect(kinds.map { bench.ledger.count($0) } == before)
    tokens.forEach { $0.cancel() }
  }

  @Test(arguments: Topology.known)
  func `imported objects have permanent IDs only if the import saves to the store`(topology: Topology) throws {
    let worker = topology.importContext
    let isOnStore = topology.contexts.first { $0.name == worker }?.parent == nil
    let bench = try StackUnderTest(topology)
    bench.importPayload([[.insert(100)]])
    let saves = bench.events.entries.filter { $0.hasPrefix("\(worker) did-save") }
    #expect(saves == ["\(worker) did-save, \(isOnStore ? "permanent" : "temporary")"])
  }
}
