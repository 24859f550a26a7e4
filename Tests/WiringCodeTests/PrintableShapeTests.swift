import Testing
import Topologies
import WiringCode

/// The topologies that can be printed as code, and the reasons for which others cannot.
@Suite struct PrintableShapeTests {
  /// The known stacks that cannot be printed, with the reasons.
  private static let limits = [
    "background-fan-out": "its payloads are imported at the same time",
    "two-coordinators": "worker is on a coordinator of its own",
    "confinement": "main is confined to a thread, which recent SDKs do not permit",
    "pooled-children": "worker is taken from a pool",
    "master-and-children": "its forms are not children of main",
    "main-on-coordinator": "the import is not a new child, for each payload, of main",
  ]

  @Test(arguments: Topology.known)
  func `every known stack can be printed, or its limit is named`(topology: Topology) {
    #expect(PrintableShape(topology).limit == Self.limits[topology.title])
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

  @Test(arguments: ["self", "import", "container", "records"])
  func `a context with the name of a keyword or of another member is named`(name: String) {
    let limit = Self.limit(.allMain) {
      $0.contexts[0].name = name
      ($0.uiContext, $0.importContext) = (name, name)
    }
    #expect(limit == "\(name) cannot be the name of a property in it")
  }
}
