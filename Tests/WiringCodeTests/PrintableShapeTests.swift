import Experiments
import Testing
import Topologies

/// The topologies that can be printed as code, and the reasons for which others cannot.
@Suite struct PrintableShapeTests {
  @Test(arguments: Topology.known)
  func `every known stack in one process can be printed`(topology: Topology) {
    let limit = topology.importsInSecondProcess ? "its import runs in a second process, which is another target" : nil
    #expect(PrintableShape(topology).limit == limit)
  }

  private static func limit(_ topology: Topology, _ change: (inout Topology) -> Void) -> String? {
    var topology = topology
    change(&topology)
    return PrintableShape(topology).limit
  }

  @Test func `other names, policies and automatic merging can be printed`() {
    #expect(Self.limit(.threeTier) { $0.id = "mine" } == nil)
    #expect(Self.limit(.workerMerge(.notification)) { $0.contexts[1].mergePolicy = .overwrite } == nil)
    #expect(Self.limit(.workerMerge(.automatic)) { $0.contexts[1].lifetime = .payload } == nil)
    #expect(
      Self.limit(.reversedParent(.root)) {
        $0.rules.removeFirst()
        $0.contexts[1].automaticallyMergesChanges = true
      } == nil)
  }

  @Test func `a shape that the code does not have is named`() {
    #expect(
      Self.limit(.workerMerge(.notification)) {
        $0.contexts.append(ContextDescription(name: "reader", queue: .private, lifetime: .app))
      } == "neither the screens nor the import use reader")
    #expect(
      Self.limit(.threeTier) {
        $0.contexts.insert(ContextDescription(name: "writer", queue: .private, lifetime: .app), at: 0)
        $0.contexts[1].parent = "writer"
      } == "there is more than one private context of the app between main and the store")
    #expect(
      Self.limit(.childOfMain) { $0.contexts[1].lifetime = .lane }
        == "the import is not a new child, for each payload, of main")
    #expect(
      Self.limit(.workerMerge(.notification)) { $0.contexts[1].lifetime = .payload }
        == "a rule merges the saves of worker, which is made for each payload (automatic merging is part of it)")
    #expect(
      Self.limit(.reversedParent(.child)) { $0.contexts[2].parent = nil } == "the import saves to the store beside root"
    )
    #expect(
      Self.limit(.workerMerge(.notification)) {
        $0.rules.append(Rule(trigger: .didSave("main"), action: .merge(into: "worker")))
      } == "rule 2 of its rules is not part of the code")
    #expect(
      Self.limit(.perViewController) { $0.rules = [] }
        == "a context for each screen is printed only if it saves to the store and its screens fetch again")
    #expect(
      Self.limit(.reversedParent(.root)) {
        $0.rules.append(Rule(trigger: .payloadImported, action: .refetchAllScreens))
      } == "screens that fetch again are printed only if their context saves to the store")
    #expect(
      Self.limit(.workerMerge(.notification)) { $0.contexts[1].automaticallyMergesChanges = true }
        == "worker merges automatically, and no screen shows it")
    #expect(
      Self.limit(.threeTier) { $0.permanentIDs = .beforeSave }
        == "permanent IDs before each save are not part of the code")
  }

  @Test func `a shape that only a relative has is named where the code does not have it`() {
    #expect(
      Self.limit(.workerMerge(.notification)) { $0.importsAtOnce = true }
        == "its payloads are imported at the same time in a context that is not a new one for each")
    #expect(
      Self.limit(.twoCoordinators) { $0.contexts[0].coordinator = "ui" }
        == "it has several coordinators, which are part of it only if the import alone is on a second one")
    #expect(
      Self.limit(.twoCoordinators) { $0.rules = [] }
        == "it has several coordinators, which are part of it only if the import alone is on a second one")
    #expect(
      Self.limit(.twoCoordinators) { $0.contexts[1].coordinator = "1st" }
        == "the name of its coordinator 1st cannot begin the name of a property in it")
    #expect(
      Self.limit(.workerMerge(.notification)) {
        $0.rules = [Rule(trigger: .remoteChange, action: .merge(into: "main"))]
      } == "it merges the history of a store that only one coordinator uses")
    #expect(
      Self.limit(.mainOnCoordinator) { $0.contexts[1].firesUpdatedObjectsBeforeMerging = true }
        == "objects are fired before merges, which is part of it only if one context merges")
    #expect(
      Self.limit(.masterAndChildren) { $0.contexts[3].parent = nil } == "its forms are not children of main or master")
    #expect(
      Self.limit(.pooledChildren) {
        $0.contexts.append(ContextDescription(name: "task", queue: .private, parent: "main", lifetime: .payload))
        $0.importContext = "task"
      } == "worker is taken from a pool, and the import does not use it")
  }

  @Test(arguments: ["self", "import", "container", "records"])
  func `a context with the name of a keyword or of another member is named`(name: String) {
    let limit = Self.limit(.allMain) {
      $0.contexts[0].name = name
      ($0.uiContext, $0.importContext) = (name, name)
    }
    #expect(limit == "\(name) cannot be the name of a property in it")
  }
}
