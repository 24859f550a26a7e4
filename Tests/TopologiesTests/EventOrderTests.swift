import TestSupport
import Testing
import Topologies

/// The events that one payload causes in each stack, in order.
@Suite struct EventOrderTests {
  private static let changes = ", 1 inserted, 1 updated"
  private static let commits = ["COMMIT", "COMMIT"]
  private static let commitsOnMain = ["COMMIT on main", "COMMIT on main"]
  private static func savesToStore(_ context: String) -> [String] {
    ["\(context) did-change, own" + changes] + commits + ["\(context) did-save, permanent"]
  }
  private static let workerSavesToStore = savesToStore("worker")
  private static func mainMerges(_ posted: String) -> [String] {
    [posted, "main merge begun", "main did-change, merge, 1 inserted, 1 refreshed", "main merge ended"]
  }
  private static let mainMergesHistory = [
    "remote merge into main posted", "remote merge into main begun", "main did-change, merge, 1 inserted, 1 refreshed",
    "remote merge into main ended",
  ]
  private static func workerPushes(to parent: String) -> [String] {
    [
      "worker did-change, own" + changes, "\(parent) did-change, push from worker" + changes,
      "worker did-save, temporary",
    ]
  }

  /// A payload of one unit, which makes one product and changes one that the screen shows.
  static let ofOnePayload: [String: [String]] = [
    "all-main": ["main did-change, own" + changes] + commitsOnMain + ["main did-save, permanent"],
    "worker-merge/notification": workerSavesToStore + mainMerges("merge of worker posted"),
    "worker-merge/automatic": workerSavesToStore + mainMerges("main merge posted"),
    "worker-merge/reset": workerSavesToStore + ["refetch of [0]", "main did-change, reset"],
    "worker-merge/none": workerSavesToStore,
    "child-of-main": workerPushes(to: "main") + commitsOnMain + ["main did-save, permanent"],
    "reversed-parent/root": ["root did-change, own" + changes] + commits + ["root did-save, permanent"]
      + mainMerges("merge of root posted"),
    "reversed-parent/child": workerPushes(to: "root") + commits + ["root did-save, permanent"]
      + mainMerges("merge of root posted"),
    "reversed-parent/restkit": workerPushes(to: "root") + commits + ["root did-save, permanent"]
      + mainMerges("merge of root posted"),
    "three-tier": workerPushes(to: "main") + ["root did-change, push from main" + changes, "main did-save, temporary"]
      + commits + ["root did-save, permanent"],
    "per-view-controller": workerSavesToStore + ["refetch of [0]", "screen did-change, reset"],
    "single-background/main-merges": savesToStore("background") + mainMerges("main merge posted"),
    "single-background/background-merges": savesToStore("background"),
    "pinned-main": workerSavesToStore + mainMerges("merge of worker posted"),
    "pooled-children": workerPushes(to: "main") + commitsOnMain + ["main did-save, permanent"],
    "confinement": workerSavesToStore + mainMerges("merge of worker posted"),
    "two-coordinators": workerSavesToStore + mainMergesHistory,
    "two-coordinators/processes": workerSavesToStore + mainMergesHistory,
    "background-fan-out": savesToStore("task") + mainMerges("main merge posted"),
    "scratch-pad": workerSavesToStore + mainMerges("merge of worker posted"),
    "master-and-children": workerPushes(to: "master") + commits + ["master did-save, permanent"]
      + mainMerges("merge of master posted"),
    "main-on-coordinator": workerPushes(to: "master") + commits + ["master did-save, permanent"]
      + mainMerges("merge of master posted"),
  ]

  /// An edit of a product that the screen shows. It needs no new keys, and therefore one transaction.
  static let ofOneEdit: [String: [String]] = {
    let onStore = ["main did-change, own, 1 updated", "COMMIT on main", "main did-save"]
    let belowRoot = [
      "main did-change, own, 1 updated", "root did-change, push from main, 1 updated", "main did-save", "COMMIT",
      "root did-save",
    ]
    return [
      "all-main": onStore,
      "worker-merge/notification": onStore,
      "worker-merge/automatic": onStore,
      "worker-merge/reset": onStore,
      "worker-merge/none": onStore,
      "child-of-main": onStore,
      "reversed-parent/root": belowRoot,
      "reversed-parent/child": belowRoot,
      "reversed-parent/restkit": belowRoot,
      "three-tier": belowRoot,
      "per-view-controller": ["screen did-change, own, 1 updated", "COMMIT on main", "screen did-save"],
      "single-background/main-merges": onStore,
      "pinned-main": onStore,
      "background-fan-out": onStore,
      "two-coordinators": onStore,
      "two-coordinators/processes": onStore,
      "confinement": onStore,
      "pooled-children": onStore,
      "scratch-pad": [
        "form did-change, own, 1 updated", "main did-change, push from form, 1 updated", "form did-save",
        "COMMIT on main", "main did-save",
      ],
      "master-and-children": [
        "form did-change, own, 1 updated", "master did-change, push from form, 1 updated", "form did-save", "COMMIT",
        "master did-save", "merge of master posted", "main merge begun", "main did-change, merge, 1 refreshed",
        "main merge ended",
      ],
      "main-on-coordinator": onStore + ["merge of main posted", "master merge begun", "master merge ended"],
      "single-background/background-merges": onStore + [
        "background merge posted", "background merge begun", "background merge ended",
      ],
    ]
  }()

  @Test(arguments: Topology.known)
  func `a payload causes events in the expected order of its stack`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    // The first product of the list is realised in the UI context, as a visible row is.
    let shown = try #require((0..<20).min { Product.name(of: $0) < Product.name(of: $1) })
    let events = bench.events.entries { bench.importPayload([[.insert(100), .update(shown, weight: 5)]]) }
    let expected = try #require(Self.ofOnePayload[topology.title])
    guard !topology.otherCoordinators.isEmpty else { return #expect(events == expected) }
    // The events of different coordinators have no defined order.
    for isMain in [true, false] {
      #expect(events.filter { $0.contains("main") == isMain } == expected.filter { $0.contains("main") == isMain })
    }
  }

  @Test(arguments: Topology.known)
  func `an edit causes events in the expected order of its stack`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.openScreens()
    let events = try bench.events.entries {
      try bench.edit(3, note: "edited")
      bench.settle()
    }
    #expect(events == Self.ofOneEdit[topology.title])
  }

  @Test(arguments: Topology.known)
  func `the UI context has no changes after the save of an edit`(topology: Topology) throws {
    let bench = try StackUnderTest(topology)
    try bench.edit(3, note: "edited")
    #expect(!bench.uiContext().isDirty)
    bench.settle()
  }
}
