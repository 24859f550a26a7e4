import InputFiles
import Testing
import Topologies

@testable import Experiments
@testable import TrialProcesses
@testable import Validation
@testable import stackbench

/// Tests that the story of each stack agrees with its page in queues, threads and order of the steps.
@Suite struct ExplainTests {
  /// The expected parts of a line of the story: its queue, its thread and the beginning of its text.
  struct Landmark: CustomStringConvertible {
    var queue: String
    var thread: String
    var text: String

    init(_ queue: String, _ thread: String, _ text: String) {
      self.queue = queue
      self.thread = thread
      self.text = text
    }

    var description: String { "\(queue), \(thread): \(text)" }

    func isIn(_ step: ScheduleStep) -> Bool {
      step.queue == queue && step.thread == thread && step.text.hasPrefix(text)
    }
  }

  private static let main = "main thread"
  private static let durable = Landmark("", "", "payload 0 is durable")
  private static let visible = Landmark("", "", "payload 0 is visible")
  private static let decode = Landmark("network 0", "network 0", "decode")
  private static let shown = Landmark("main", main, "frame → payload 0")

  private static func fetch(_ queue: String, _ thread: String) -> Landmark {
    Landmark(queue, thread, "SQL on store reader 0: SELECT … FROM ZITEM")
  }

  private static func write(_ queue: String, _ thread: String) -> [Landmark] {
    [
      Landmark(queue, thread, "SQL on store writer: UPDATE Z_PRIMARYKEY"),
      Landmark(queue, thread, "SQL on store writer: COMMIT"),
      Landmark(queue, thread, "SQL on store writer: INSERT INTO ZITEM"),
      Landmark(queue, thread, "SQL on store writer: COMMIT"),
    ]
  }

  /// The edit of a stack whose UI context saves to the store.
  private static let directEdit =
    [
      Landmark("main", main, "edit"), Landmark("main", main, "SQL on store writer: COMMIT"),
      Landmark("", "", "edit 0 is acknowledged"),
    ]
  private static let editVisible = Landmark("", "", "edit 0 is visible")
  /// The edit of a stack with a private root.
  private static let pushedEdit =
    [
      Landmark("main", main, "edit"), Landmark("root", main, "push"), Landmark("", "", "edit 0 is acknowledged"),
      Landmark("root", "root", "SQL on store writer: COMMIT"), Landmark("", "", "edit 0 is durable"),
    ]

  private static func worker(_ queue: String = "worker") -> [Landmark] {
    [decode, Landmark(queue, queue, "import"), fetch(queue, queue), Landmark(queue, queue, "save")]
      + write(queue, queue) + [durable]
  }

  private static let merge = Landmark("main", main, "merge")
  private static let pages: [(String, [Landmark])] = [
    (
      "all-main",
      [
        Landmark("network 0", "network 0", "posts a block to main"), Landmark("main", main, "decode"),
        fetch("main", main), Landmark("main", main, "save"),
      ] + write("main", main) + [durable] + directEdit
        + [shown, visible, editVisible]
    ),
    (
      "worker-merge/reset",
      worker() + [
        Landmark("main", main, "reset"), Landmark("main", main, "fetch"), fetch("main", main), shown, visible,
      ]
    ),
    ("worker-merge/none", worker() + directEdit + [editVisible]),
    (
      "child-of-main",
      [
        decode, Landmark("worker", "worker", "fetch"), Landmark("worker", "worker", "waits for main"),
        Landmark("main", main, "runs a sync of fetch on worker"), fetch("main", main),
        Landmark("worker", "worker", "fault"), Landmark("main", main, "runs a sync of fault on worker"),
        Landmark("worker", "worker", "save"), Landmark("worker", "worker", "waits for main"),
        Landmark("main", main, "push"), Landmark("main", main, "controller"),
        Landmark("worker", "worker", "posts a block to main"), Landmark("main", main, "save"),
      ]
        + write("main", main) + [durable] + directEdit + [shown, visible, editVisible]
    ),
    (
      "reversed-parent/root",
      worker("root") + [merge, Landmark("root", main, "takes root: sync")] + [pushedEdit[0], pushedEdit[1]]
        + [shown, visible]
    ),
    (
      "reversed-parent/child",
      [
        decode, Landmark("worker", "worker", "import"), fetch("root", "worker"), Landmark("root", "worker", "push"),
        Landmark("root", "root", "save"),
      ] + write("root", "root") + [durable, merge, shown, visible]
    ),
    (
      "reversed-parent/restkit",
      [
        decode, Landmark("worker", "worker", "import"), fetch("root", "worker"), Landmark("root", "worker", "push"),
        Landmark("root", "root", "save"),
      ] + write("root", "root") + [durable, merge, shown, visible]
    ),
    (
      "three-tier",
      [
        decode, Landmark("worker", "worker", "fetch"), Landmark("worker", "worker", "waits for main"),
        Landmark("main", main, "fetch"), Landmark("root", main, "takes root: sync"), fetch("root", main),
        Landmark("worker", "worker", "save"), Landmark("worker", "worker", "waits for main"),
        Landmark("main", main, "push"), Landmark("main", main, "controller"),
        Landmark("worker", "worker", "posts a block to main"), Landmark("main", main, "save"),
        Landmark("root", main, "push"), Landmark("main", main, "posts a block to root"),
        Landmark("root", "root", "save"),
      ] + write("root", "root") + [durable] + pushedEdit + [shown, visible]
    ),
    (
      "per-view-controller",
      worker() + [Landmark("main", main, "reset"), fetch("main", main), shown, visible]
    ),
    (
      "single-background/background-merges",
      worker("background") + directEdit + [Landmark("background", "background", "merge"), editVisible]
    ),
    (
      "pooled-children",
      [
        decode, Landmark("worker", "worker", "fetch"), Landmark("worker", "worker", "waits for main"),
        Landmark("main", main, "runs a sync of fetch on worker"), fetch("main", main),
        Landmark("worker", "worker", "save"), Landmark("main", main, "push"), Landmark("main", main, "save"),
      ] + write("main", main) + [durable, shown, visible]
    ),
    (
      "scratch-pad",
      worker() + [Landmark("main", main, "edit"), Landmark("main", main, "push")] + directEdit.dropFirst() + [
        shown, visible, editVisible,
      ]
    ),
    (
      "master-and-children",
      [
        decode, Landmark("worker", "worker", "import"), fetch("master", "worker"),
        Landmark("master", "worker", "push"), Landmark("master", "master", "save"),
      ] + write("master", "master") + [
        durable, merge, Landmark("main", main, "edit"), Landmark("master", main, "push"),
        Landmark("", "", "edit 0 is acknowledged"), Landmark("master", "master", "SQL on store writer: COMMIT"),
        Landmark("", "", "edit 0 is durable"), merge, shown, visible, editVisible,
      ]
    ),
    (
      "main-on-coordinator",
      [
        decode, Landmark("worker", "worker", "import"), fetch("master", "worker"),
        Landmark("master", "worker", "push"), Landmark("master", "master", "save"),
      ] + write("master", "master") + [durable] + directEdit + [Landmark("master", "master", "merge"), editVisible]
    ),
  ]

  private func story(_ arguments: String...) throws -> Story {
    let command = try ExplainCommand.parse(arguments)
    let topology = try #require(Topology.named(command.name))
    return try command.story(of: topology, on: ProfileLibrary.profile(named: ProfileLibrary.standardName))
  }

  /// The steps of an import that follow from the description of a stack, in order.
  private static func steps(of topology: Topology) throws -> [Landmark] {
    let writer = try #require(topology.chain(from: topology.importContext).last)
    let thread = writer.queue == .main ? main : writer.name
    let isWorker =
      writer.name == topology.importContext && thread == writer.name && topology.otherCoordinators.isEmpty
    let decoding = topology.decode == .network ? [decode] : []
    return (isWorker ? worker(writer.name) : decoding + [Landmark(writer.name, thread, "save"), durable])
      + (topology.mergesSaves ? [merge] : []) + (topology.tolerates.contains(.staleRows) ? [] : [shown, visible])
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `the story of every stack has the steps of its import in order`(_ topology: Topology) throws {
    try expect(Self.steps(of: topology), in: topology.title)
  }

  @Test(arguments: pages.indices)
  func `the story of a stack has the steps of its page in order`(_ page: Int) throws {
    try expect(ExplainTests.pages[page].1, in: ExplainTests.pages[page].0)
  }

  private func expect(_ landmarks: [Landmark], in topology: String) throws {
    var rest = try story(topology).lines[...]
    for landmark in landmarks {
      let place = rest.firstIndex { landmark.isIn($0.step) }
      #expect(place != nil, "\(topology): “\(landmark)” is missing, or comes too early")
      rest = rest[(place.map { $0 + 1 } ?? rest.startIndex)...]
    }
  }

  @Test(arguments: ["child-of-main", "three-tier"])
  func `the SQL of the import's fetch runs while the worker waits`(_ topology: String) throws {
    let lines = try story(topology).lines.map(\.step)
    let sql = try #require(lines.first { $0.kind == .statement })
    let wait = try #require(lines.first { $0.kind == .wait })
    #expect(wait.thread == "worker" && wait.text.contains("waits for main"))
    #expect(wait.begin <= sql.begin && sql.end <= wait.end)
  }

  @Test func `main waits in three-tier while root saves during the second fetch`() throws {
    let lines = try story("three-tier", "--save-every", "3").lines.map(\.step)
    let wait = try #require(lines.first { $0.kind == .wait && $0.text.hasPrefix("waits for root") })
    #expect(wait.queue == "main" && wait.thread == "main thread")
    #expect(wait.text.contains("save on root"))
  }

  @Test func `an edit makes other screens with their own contexts fetch again`() throws {
    let lines = try story("per-view-controller", "--view-controllers", "2").lines.map(\.step)
    let edit = try #require(lines.firstIndex { $0.text == "edit" })
    #expect(lines[edit...].contains { $0.text == "reset" })
  }

  @Test(arguments: Topology.knownInOneProcess.map(\.title))
  func `a diagram follows Mermaid's grammar, and every activation ends`(_ topology: String) throws {
    let text = try ExplainCommand.parse([topology, "--format", "mermaid"]).text()
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "sequenceDiagram")
    var participants: Set<Substring> = []
    var active: [Substring: Int] = [:]
    for indented in lines.dropFirst() {
      #expect(indented.hasPrefix("  "))
      let line = indented.dropFirst(2)
      #expect(!line.contains(";") && !line.contains("#"))
      if line.wholeMatch(of: /title .+/) != nil { continue }
      if let match = line.wholeMatch(of: /participant (p[0-9]+) as .+/) {
        participants.insert(match.1)
      } else if let match = line.wholeMatch(of: /activate (p[0-9]+)/) {
        active[match.1, default: 0] += 1
      } else if let match = line.wholeMatch(of: /deactivate (p[0-9]+)/) {
        active[match.1, default: 0] -= 1
        #expect(active[match.1, default: -1] >= 0, "\(line)")
      } else if let match = line.wholeMatch(of: /Note over (p[0-9]+)(?:,(p[0-9]+))?: .+/) {
        let isKnown = participants.contains(match.1) && participants.contains(match.2 ?? match.1)
        #expect(isKnown)
      } else if let match = line.wholeMatch(of: /(p[0-9]+)(?:->>|-->>|-\))(p[0-9]+): .+/) {
        #expect(participants.contains(match.1) && participants.contains(match.2))
      } else {
        Issue.record("not a line of a diagram: \(line)")
      }
    }
    #expect(active.values.allSatisfy { $0 == 0 } && active.count > 2)
  }

  @Test func `the printed stories equal the snapshots`() throws {
    try Snapshot.check(ExplainCommand.parse(["child-of-main"]).text(), "explain-child-of-main")
    try Snapshot.check(
      ExplainCommand.parse(["three-tier", "--format", "mermaid"]).text(), "explain-three-tier-mermaid")
  }

  @Test func `an unknown stack is refused with a list of stacks`() async throws {
    let outcome = try await Program.run(["explain", "seven"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.count == 1)
    for topology in Topology.known { #expect(outcome.errors[0].contains(topology.title)) }
  }

  @Test(arguments: [
    ["three-tier", "--format", "png"], ["three-tier", "--save-every", "7"], ["three-tier", "--profile", "nokia"], [],
  ])
  func `bad usage of explain prints one line`(_ arguments: [String]) async throws {
    let outcome = try await Program.run(["explain"] + arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.count == 1)
  }
}
