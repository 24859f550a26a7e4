import ContextEngine
import TestSupport
import Testing
import Topologies

/// The contexts that a topology makes, with their queues, parents, lifetimes and rules.
@Suite struct WiringTests {
  /// Returns a context as a line: name, queue, parent, lifetime.
  private static func line(_ context: ContextDescription) -> String {
    var line = "\(context.name): \(context.queue) → \(context.parent ?? "store") (\(context.lifetime))"
    if let coordinator = context.coordinator { line += ", on \(coordinator)" }
    if context.isConfined { line += ", confined" }
    if let size = context.poolSize { line += ", \(size) of them" }
    if context.retainsRegisteredObjects { line += ", keeps objects" }
    if context.automaticallyMergesChanges { line += ", merges automatically" }
    if context.firesUpdatedObjectsBeforeMerging { line += ", fires before it merges" }
    if let policy = context.mergePolicy { line += ", \(policy)" }
    if context.queryGeneration == .pinned { line += ", pinned" }
    return line
  }

  private static func line(_ rule: Rule) -> String {
    let trigger =
      switch rule.trigger {
      case .didSave(let name): "\(name) saved"
      case .payloadImported: "payload imported"
      case .remoteChange: "remote change"
      }
    let action =
      switch rule.action {
      case .save(let name): "save \(name)"
      case .merge(let name): "merge into \(name)"
      case .refetchAllScreens: "refetch all screens"
      case .refetchTouchedScreens: "refetch touched screens"
      case .refetchOtherScreens: "refetch other screens"
      }
    return "\(trigger): \(action)"
  }

  struct Wiring: Sendable {
    var contexts: [String]
    var ui: String
    var `import`: String
    var edit: String?
    var rules: [String] = []
  }

  private static let workerOnStore = "worker: private → store (lane)"
  private static let reversed = ["root: private → store (app)", "main: main → root (app)"]
  private static let reversedRules = ["root saved: merge into main", "main saved: save root"]

  static let expected: [String: Wiring] = [
    "all-main": Wiring(contexts: ["main: main → store (app)"], ui: "main", import: "main"),
    "worker-merge/notification": Wiring(
      contexts: ["main: main → store (app)", workerOnStore], ui: "main", import: "worker",
      rules: ["worker saved: merge into main"]),
    "worker-merge/automatic": Wiring(
      contexts: ["main: main → store (app), merges automatically", workerOnStore], ui: "main", import: "worker"),
    "worker-merge/reset": Wiring(
      contexts: ["main: main → store (app)", workerOnStore], ui: "main", import: "worker",
      rules: ["payload imported: refetch all screens"]),
    "worker-merge/none": Wiring(
      contexts: ["main: main → store (app)", workerOnStore], ui: "main", import: "worker"),
    "child-of-main": Wiring(
      contexts: ["main: main → store (app)", "worker: private → main (payload)"], ui: "main", import: "worker",
      rules: ["worker saved: save main"]),
    "reversed-parent/root": Wiring(contexts: reversed, ui: "main", import: "root", rules: reversedRules),
    "reversed-parent/child": Wiring(
      contexts: reversed + ["worker: private → root (payload)"], ui: "main", import: "worker",
      rules: reversedRules + ["worker saved: save root"]),
    "reversed-parent/restkit": Wiring(
      contexts: [
        "root: private → store (app), storeTrump", "main: main → root (app), fires before it merges",
        "worker: private → root (payload)",
      ],
      ui: "main", import: "worker", rules: reversedRules + ["worker saved: save root"]),
    "three-tier": Wiring(
      contexts: reversed + ["worker: private → main (payload)"], ui: "main", import: "worker",
      rules: ["worker saved: save main", "main saved: save root"]),
    "per-view-controller": Wiring(
      contexts: ["screen: main → store (screen)", workerOnStore], ui: "screen", import: "worker",
      rules: ["payload imported: refetch touched screens", "screen saved: refetch other screens"]),
    "single-background/main-merges": Wiring(
      contexts: ["main: main → store (app), merges automatically", "background: private → store (app)"],
      ui: "main", import: "background"),
    "single-background/background-merges": Wiring(
      contexts: ["main: main → store (app)", "background: private → store (app), merges automatically"],
      ui: "main", import: "background"),
    "scratch-pad": Wiring(
      contexts: ["main: main → store (app)", workerOnStore, "form: main → main (edit)"], ui: "main", import: "worker",
      edit: "form", rules: ["worker saved: merge into main"]),
    "master-and-children": Wiring(
      contexts: [
        "master: private → store (app)", "main: main → master (app)", "worker: private → master (payload)",
        "form: main → master (edit)",
      ],
      ui: "main", import: "worker", edit: "form",
      rules: [
        "worker saved: save master", "form saved: save master", "main saved: save master",
        "master saved: merge into main",
      ]),
    "main-on-coordinator": Wiring(
      contexts: ["master: private → store (app)", "main: main → store (app)", "worker: private → master (payload)"],
      ui: "main", import: "worker",
      rules: ["worker saved: save master", "master saved: merge into main", "main saved: merge into master"]),
    "pooled-children": Wiring(
      contexts: ["main: main → store (app)", "worker: private → main (pool), 3 of them, keeps objects"], ui: "main",
      import: "worker", rules: ["worker saved: save main"]),
    "confinement": Wiring(
      contexts: ["main: main → store (app), confined", workerOnStore + ", confined"], ui: "main", import: "worker",
      rules: ["worker saved: merge into main"]),
    "two-coordinators": Wiring(
      contexts: ["main: main → store (app)", workerOnStore + ", on import"], ui: "main", import: "worker",
      rules: ["remote change: merge into main"]),
    "two-coordinators/processes": Wiring(
      contexts: ["main: main → store (app)", workerOnStore + ", on import"], ui: "main", import: "worker",
      rules: ["remote change: merge into main"]),
    "background-fan-out": Wiring(
      contexts: ["main: main → store (app), merges automatically", "task: private → store (payload)"], ui: "main",
      import: "task"),
    "pinned-main": Wiring(
      contexts: ["main: main → store (app), pinned", workerOnStore], ui: "main", import: "worker",
      rules: ["worker saved: merge into main"]),
  ]

  @Test(arguments: Topology.known)
  func `the topology of each stack has the expected contexts and rules`(topology: Topology) throws {
    let expected = try #require(Self.expected[topology.title])
    #expect(topology.contexts.map(Self.line) == expected.contexts)
    #expect(topology.uiContext == expected.ui)
    #expect(topology.importContext == expected.import)
    #expect(topology.editContext == expected.edit)
    #expect(topology.rules.map(Self.line) == expected.rules)
    #expect(topology.fetchesShownProperties == (topology.id == "per-view-controller"))
  }

  // The test checks the contexts that the engine made, and not the value of the topology.
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
  func `screens share the UI context except in per-view-controller`(topology: Topology) throws {
    let options = StackUnderTest.Options(screenEntities: [Product.entity.index, Supplier.entity.index])
    let bench = try StackUnderTest(topology, options)
    #expect((bench.uiContext(0) === bench.uiContext(1)) == (topology.id != "per-view-controller"))
    #expect(bench.uiContext(0).name == topology.uiContext && bench.uiContext(1).name == topology.uiContext)
  }
}
