import ContextEngine
import MachineCore
import TestSupport
import Testing
import Topologies

/// Merges of one save into several contexts.
@Suite struct SeveralTargetsTests {
  /// A worker and one context for each screen. Each screen merges the saves of the worker and of the other screens.
  private static let screens = Topology(
    id: "screens", number: "own", summary: "screens that merge",
    contexts: [
      ContextDescription(name: "screen", queue: .main, lifetime: .screen),
      ContextDescription(name: "worker", queue: .private, lifetime: .lane),
    ],
    uiContext: "screen", importContext: "worker",
    rules: [
      Rule(trigger: .didSave("worker"), action: .merge(into: "screen")),
      Rule(trigger: .didSave("screen"), action: .merge(into: "screen")),
    ])

  private static let screensBelowRoot = Topology(
    id: "screens-below-root", number: "own", summary: "screens below a root",
    contexts: [
      ContextDescription(name: "root", queue: .private, lifetime: .app),
      ContextDescription(name: "screen", queue: .main, parent: "root", lifetime: .screen),
    ],
    uiContext: "screen", importContext: "root",
    rules: [
      Rule(trigger: .didSave("screen"), action: .save("root")),
      Rule(trigger: .didSave("root"), action: .merge(into: "screen")),
    ])

  private static func bench(_ topology: Topology) throws -> StackUnderTest {
    try StackUnderTest(
      topology,
      StackUnderTest.Options(products: 10, screenEntities: Array(repeating: Product.entity.index, count: 3)))
  }

  @Test(arguments: [screens, screensBelowRoot])
  func `every screen merges an import`(topology: Topology) throws {
    let bench = try Self.bench(topology)
    try bench.openScreens()
    bench.importPayload([[.insert(10), .update(0, weight: 71)]])
    #expect(bench.screens.postedMerges.entries.count == 3)
    for screen in 0..<3 { #expect(bench.onMain { bench.screens.rows(screen)?.count } == 11) }
  }

  @Test(arguments: [screens, screensBelowRoot])
  func `the other screens merge what a screen saves, and it does not merge its own save`(topology: Topology) throws {
    let bench = try Self.bench(topology)
    try bench.openScreens()
    try bench.edit(0, note: "edited", screen: 1)
    bench.settle()
    #expect(bench.screens.postedMerges.entries.count == 2)
    #expect(bench.screens.skippedMerges.entries.count == (topology == Self.screens ? 0 : 1))
    for screen in 0..<3 {
      let note = try bench.onMain {
        try bench.uiContext(screen).event { try #require(bench.uiContext(screen).products([0]).first)[Product.note] }
      }
      #expect(note == .string("edited"))
    }
  }
}
