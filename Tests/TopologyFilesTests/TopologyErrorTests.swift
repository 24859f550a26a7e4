import InputFiles
import Testing
import Topologies

/// The mistakes in a topology's file, each with its line, its key and the correction.
@Suite struct TopologyErrorTests {
  private static let lines = [
    "id: mine",  // 1
    "contexts:",  // 2
    "  - {name: root, queue: private, lifetime: app}",  // 3
    "  - {name: main, queue: main, parent: root, lifetime: app}",  // 4
    "  - {name: worker, queue: private, parent: main, lifetime: payload}",  // 5
    "uiContext: main",  // 6
    "importContext: worker",  // 7
    "rules:",  // 8
    "  - {afterSaveOf: worker, save: main}",  // 9
    "  - {afterSaveOf: main, save: root}",  // 10
  ]

  /// Returns the description of the error of a text, or nil if it can be read.
  private static func error(_ text: String) -> String? {
    do {
      _ = try TopologyReader(place: "mine.yaml").topology(from: text)
      return nil
    } catch {
      return error.description
    }
  }

  /// Returns the error of the valid file with one line replaced. An empty text removes the line.
  private static func error(_ number: Int, _ line: String) -> String? {
    var changed = lines
    changed[number - 1] = line
    return error(changed.joined(separator: "\n"))
  }

  @Test func `the unchanged file can be read`() {
    #expect(Self.error(Self.lines.joined(separator: "\n")) == nil)
  }

  @Test(arguments: [
    (1, "", "2: id: missing; use id: my-stack"),
    (
      1, "id: my stack",
      "1: id: my stack is not a name; use a letter, then letters, digits and hyphens, as in id: my-stack"
    ),
    (
      1, "id: 2-tier", "1: id: 2-tier is not a name; use a letter, then letters, digits and hyphens, as in id: my-stack"
    ),
    (1, "id: all", "1: id: all stands for the six stacks; use another name"),
    (1, "id: [mine]", "1: id: not a text"),
    (
      1, "id: three-tier",
      "1: id: three-tier is one of Stackbench's own stacks, and this one differs from it; use another ID"
    ),
    (
      1, "id: mine\nvariant: a/b",
      "2: variant: a/b is not a name; use letters, digits and hyphens, as in variant: merging"
    ),
    (
      1, "id: mine\ncontext: main",
      "2: context: not known; did you mean contexts? use one of id, variant, number, summary, contexts, uiContext, importContext, editContext, "
        + "decode, importsAtOnce, importsInSecondProcess, rules, fetchesShownProperties, permanentIDs, tolerates, uses"
    ),
    (1, "id: mine\nid: yours", "1: id: given twice; use it once"),
    (1, "id: mine\nfetchesShownProperties: 1", "2: fetchesShownProperties: 1 is neither true nor false"),
    (1, "id: mine\ndecode: main", "2: decode: main is not known; use one of network, import"),
    (
      1, "id: mine\ntolerates: [rain]",
      "2: tolerates: rain is not known; use some of lostEdits, duplicates, staleRows, outOfOrder, staleObjects"
    ),
    (1, "id: mine\ntolerates: staleRows", "2: tolerates: not a list; use - … for each entry"),
    (1, "id: mine\ntolerates: [staleRows, staleRows]", "2: tolerates: staleRows is given twice; use it once"),
    (1, "id: mine\nuses: [{purpose: UI}]", "2: uses[0].context: missing; use context: main"),
  ])
  func `a mistake at the top names its key`(number: Int, line: String, message: String) {
    #expect(Self.error(number, line) == "mine.yaml:\(message)")
  }

  @Test(arguments: [
    (3, "  - root", "3: contexts[0]: not a mapping; use name: … and the like"),
    (3, "  - {queue: private, lifetime: app}", "3: contexts[0].name: missing; use name: main"),
    (
      3, "  - {name: a b, queue: private, lifetime: app}",
      "3: contexts[0].name: a b is not a name; use a letter, then letters, digits and underscores"
    ),
    (
      3, "  - {name: store, queue: private, lifetime: app}",
      "3: contexts[0].name: store stands for the store; use another name"
    ),
    (
      3, "  - {name: main, queue: private, lifetime: app}",
      "4: contexts[1].name: main is given twice; use a different name for each context"
    ),
    (
      3, "  - {name: root, queue: own, lifetime: app}",
      "3: contexts[0].queue: own is not known; use one of main, private"
    ),
    (
      3, "  - {name: root, queue: private, lifetime: app, mergepolicy: error}",
      "3: contexts[0].mergepolicy: not known; did you mean mergePolicy? use one of name, queue, isConfined, coordinator, parent, lifetime, poolSize, "
        + "retainsRegisteredObjects, automaticallyMergesChanges, "
        + "firesUpdatedObjectsBeforeMerging, queryGeneration, mergePolicy"
    ),
    (
      4, "  - {name: main, queue: main, parent: rot, lifetime: app}",
      "4: contexts[1].parent: rot is no context; use one of root, main, worker, or leave parent out for the store"
    ),
    (
      3, "  - {name: root, queue: private, parent: main, lifetime: app}",
      "3: contexts[0].parent: a cycle, so no save reaches the store: root → main → root; leave out one parent"
    ),
    (
      3, "  - {name: root, queue: private, parent: root, lifetime: app}",
      "3: contexts[0].parent: a cycle, so no save reaches the store: root → root; leave out one parent"
    ),
    (
      3, "  - {name: main, queue: main, parent: top, lifetime: app}\n  - {name: top, queue: private, lifetime: app}",
      "5: contexts[2].name: main is given twice; use a different name for each context"
    ),
    (
      3, "  - {name: root, queue: private, parent: top, lifetime: app}\n  - {name: top, queue: private, lifetime: app}",
      "3: contexts[0].parent: top comes later in the list; put a parent before its children"
    ),
    (
      3, "  - {name: root, queue: private, lifetime: lane}",
      "4: contexts[1].parent: root exists once for each lane, so main, which exists once for the app, has no definite "
        + "parent; use a parent with lifetime: app"
    ),
    (
      4, "  - {name: main, queue: main, parent: root, lifetime: app, mergePolicy: error}",
      "4: contexts[1].mergePolicy: has no effect below root, since only a save into the store finds conflicts; leave it "
        + "out"
    ),
  ])
  func `a mistake in a context names its place and key`(number: Int, line: String, message: String) {
    #expect(Self.error(number, line) == "mine.yaml:\(message)")
  }

  @Test(arguments: [
    (6, "", "1: uiContext: missing; use uiContext: main"),
    (6, "uiContext: view", "6: uiContext: view is no context; use one of root, main, worker"),
    (
      6, "uiContext: root",
      "6: uiContext: root has a private queue, and screens need the main queue; use queue: main for it"
    ),
    (
      4, "  - {name: main, queue: main, parent: root, lifetime: lane}",
      "6: uiContext: there are several main contexts, one for each lane, and not one for each screen; use lifetime: "
        + "screen, or app if all screens share one"
    ),
    (7, "importContext: feed", "7: importContext: feed is no context; use one of root, main, worker"),
  ])
  func `a role without a fitting context names the role`(number: Int, line: String, message: String) {
    #expect(Self.error(number, line) == "mine.yaml:\(message)")
  }

  @Test func `an import in the contexts of screens is refused`() {
    let text = """
      id: mine
      contexts: [{name: screen, queue: main, lifetime: screen}]
      uiContext: screen
      importContext: screen
      """
    #expect(
      Self.error(text)
        == "mine.yaml:4: importContext: screen exists once for each screen, and an import belongs to none; "
        + "use a context with lifetime: app, lane or payload")
  }

  @Test(arguments: [
    (
      9, "  - {save: main}",
      "9: rules[0]: no trigger; add afterSaveOf: with the name of a context, or afterPayload: true"
    ),
    (9, "  - {afterSaveOf: worker}", "9: rules[0]: no action; add save, mergeInto or refetch"),
    (
      9, "  - {afterSaveOf: worker, afterPayload: true, save: main}",
      "9: rules[0].afterPayload: contradicts afterSaveOf; use one of the two"
    ),
    (
      9, "  - {afterSaveOf: worker, save: main, mergeInto: root}",
      "9: rules[0].mergeInto: contradicts save; use a rule for each action"
    ),
    (
      9, "  - {afterSaveOf: walker, save: main}",
      "9: rules[0].afterSaveOf: walker is no context; use one of root, main, worker"
    ),
    (
      9, "  - {afterSaveOf: worker, save: mine}",
      "9: rules[0].save: mine is no context; use one of root, main, worker"
    ),
    (
      10, "  - {afterSaveOf: main, save: main}",
      "10: rules[1].save: main has just saved; use another context, or leave the rule out"
    ),
    (
      10, "  - {afterSaveOf: main, save: worker}",
      "10: rules[1].save: worker exists once for each payload, so a save of main has no definite one; use a context with "
        + "lifetime: app"
    ),
    (
      10, "  - {afterPayload: true, save: main}",
      "10: rules[1].save: a payload saves by itself; use afterSaveOf: worker in place of afterPayload"
    ),
    (
      10, "  - {afterPayload: true, mergeInto: main}",
      "10: rules[1].mergeInto: a payload has no save to merge; use afterSaveOf in place of afterPayload"
    ),
    (
      10, "  - {afterPayload: true, refetch: others}",
      "10: rules[1].refetch: others are those besides a screen that saved, and a payload has no screen; use all or touched"
    ),
    (
      10, "  - {afterSaveOf: main, mergeInto: worker}",
      "10: rules[1].mergeInto: worker ends with its payload, and later saves cannot be merged into it; use another context"
    ),
    (
      10, "  - {afterSaveOf: main, mergeInto: main}",
      "10: rules[1].mergeInto: main has its own saves already; use another context, or leave the rule out"
    ),
    (
      10, "  - {afterSaveOf: worker, mergeInto: main}",
      "10: rules[1].mergeInto: a save of worker goes into main, and its new objects have no permanent IDs yet; merge the "
        + "saves of root"
    ),
    (10, "  - {afterSaveOf: worker, save: main}", "10: rules[1]: given twice; use it once"),
    (
      10, "  - {afterSaveOf: main, refetch: some}",
      "10: rules[1].refetch: some is not known; use one of all, touched, others"
    ),
  ])
  func `a mistake in a rule names its place and key`(number: Int, line: String, message: String) {
    #expect(Self.error(number, line) == "mine.yaml:\(message)")
  }

  @Test func `a stack whose saves end before the store names the missing rule`() {
    #expect(
      Self.error(9, "")
        == "mine.yaml:7: importContext: the store is out of reach: what worker saves stays in main; add "
        + "the rule {afterSaveOf: worker, save: main}")
    #expect(
      Self.error(10, "") == "mine.yaml:7: importContext: the store is out of reach: what main saves stays in root; add "
        + "the rule {afterSaveOf: main, save: root}")
  }

  @Test func `a stack whose imports never reach a screen names a rule, unless it tolerates stale rows`() {
    let text = """
      id: mine
      contexts:
        - {name: main, queue: main, lifetime: app}
        - {name: worker, queue: private, lifetime: lane}
      uiContext: main
      importContext: worker
      """
    #expect(
      Self.error(text)
        == "mine.yaml:5: uiContext: nothing brings an import to main; add the rule {afterSaveOf: worker, "
        + "mergeInto: main}, or tolerates: [staleRows]")
    #expect(Self.error(text + "\ntolerates: [staleRows]") == nil)
    #expect(Self.error(text + "\nrules: [{afterPayload: true, refetch: all}]") == nil)
    #expect(
      Self.error(text.replacing("lifetime: app}", with: "lifetime: app, automaticallyMergesChanges: true}")) == nil)
  }

  @Test func `screens that fetch again before a payload is in the store are refused`() {
    let text = """
      id: mine
      contexts:
        - {name: main, queue: main, lifetime: app}
        - {name: root, queue: private, lifetime: app}
        - {name: worker, queue: private, parent: root, lifetime: payload}
      uiContext: main
      importContext: worker
      rules:
        - {afterSaveOf: worker, save: root}
        - {afterPayload: true, refetch: all}
      """
    #expect(
      Self.error(text) == "mine.yaml:6: uiContext: the screens fetch again before the payload is in the store; add the "
        + "rule {afterSaveOf: root, mergeInto: main}, or tolerates: [staleRows]")
  }

  @Test func `a main-queue context above a private context above the main queue is a deadlock`() {
    let text = """
      id: mine
      contexts:
        - {name: top, queue: main, lifetime: app}
        - {name: root, queue: private, parent: top, lifetime: app}
        - {name: main, queue: main, parent: root, lifetime: app}
      uiContext: main
      importContext: root
      """
    #expect(
      Self.error(text)
        == "mine.yaml:4: contexts[1].parent: a deadlock: main holds the main queue while it waits for root, "
        + "and a block of root waits for the main queue of top; use a parent with a private queue, or leave parent out")
  }

  @Test(arguments: Topology.known)
  func `an own stack may not take the ID of a known one`(topology: Topology) {
    var other = topology
    other.summary += ", changed"
    let error = Self.error(TopologyWriter(other).line)
    #expect(error?.contains("id: \(topology.id) is one of Stackbench's own stacks") == true)
  }
}
