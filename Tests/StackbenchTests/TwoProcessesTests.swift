import ContextEngine
import Dispatch
import Foundation
import Glibc
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Topologies
import Workloads

@testable import TrialProcesses

/// Tests of the stack whose import is in a second process.
@Suite(.serialized) struct TwoProcessesTests {
  private static let stack = Topology.twoCoordinatorsInProcesses.title
  private static let oneTrial = ["--trials", "1", "--idle-seconds", "0", "--topology", stack]
  /// The arguments of a trial that lasts a minute and spends most of it waiting for payloads.
  private static let long =
    oneTrial + ["--rows", "60", "--existing-rows", "0", "--batch-size", "1", "--arrival-interval", "1000"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func run(
    _ arguments: [String], meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
  ) async throws -> Program.Outcome {
    try await Program.run(["run", "--output", "\(folder.path)/results"] + arguments, meanwhile: meanwhile)
  }

  /// Returns the process of the import, and the process of its trial, which `run` has started.
  private static func processes(of run: pid_t) async throws -> (trial: pid_t, importing: pid_t) {
    let trial = try await Processes.child(of: run, running: TrialTask.name)
    return (trial, try await Processes.child(of: trial, running: ImportTask.name))
  }

  // MARK: Whole runs

  @Test func `one process and two write the same rows`() async throws {
    let outcome = try await run(
      Self.oneTrial + [
        "--topology", "two-coordinators", "--rows", "600", "--existing-rows", "200", "--batch-size", "100",
        "--user-edit-interval", "20",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let table = try String(contentsOfFile: "\(folder.path)/results/trials.csv", encoding: .utf8)
    let lines = table.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    func column(_ name: String) throws -> [Substring] {
      let place = try #require(lines[0].firstIndex { $0 == name })
      return lines.dropFirst().map { $0[place] }
    }
    #expect(try column("variant").sorted() == ["", "processes"])
    #expect(try column("verified") == ["1", "1"])
    #expect(try Set(column("store_digest")).count == 1)
    // The import writes in the second process, and these columns cover both.
    for name in ["rows_written_count", "commits_count"] {
      for count in try column(name) { #expect(try #require(Int(count)) >= (name == "commits_count" ? 6 : 600)) }
    }
    #expect(try column("contexts_made_count") == ["2", "2"])
    #expect(try column("busy_retries_count").allSatisfy { Int($0) != nil })
  }

  @Test func `lanes, a warm-up and no screens run in two processes too`() async throws {
    let outcome = try await run(
      Self.oneTrial + [
        "--rows", "300", "--existing-rows", "50", "--batch-size", "50", "--concurrent-imports", "2", "--warmup", "2",
        "--view-controllers", "0",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `the death of the importing process fails the trial with a sentence`() async throws {
    let outcome = try await run(Self.long) { process in
      kill(try await Self.processes(of: process).importing, SIGKILL)
    }
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == [
        "error: no trial succeeded, so no result was written: \(Self.stack), trial 1: the importing process was ended by "
          + "signal 9 (Killed)"
      ])
  }

  @Test func `the importing process ends with the trial's process`() async throws {
    let outcome = try await run(Self.long) { process in
      let (trial, importing) = try await Self.processes(of: process)
      kill(trial, SIGKILL)
      try await Processes.waitForEnd(of: importing)
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors.first?.hasSuffix("\(Self.stack), trial 1: was ended by signal 9 (Killed)") == true)
  }

  @Test func `the importing process ends with an interrupted run`() async throws {
    let outcome = try await run(Self.long) { process in
      let importing = try await Self.processes(of: process).importing
      kill(process, SIGINT)
      try await Processes.waitForEnd(of: importing)
    }
    #expect(outcome.status == 130)
    #expect(folder.contents(of: "results") == nil)
  }

  @Test func `the importing process ends at the time limit`() async throws {
    let outcome = try await run(Self.long + ["--time-limit", "5"]) { process in
      try await Processes.waitForEnd(of: try await Self.processes(of: process).importing)
    }
    #expect(outcome.status == 1)
    #expect(outcome.errors.first?.contains("was killed after 5 s") == true)
  }

  // MARK: Refusals

  @Test(arguments: [
    ["run", "--machine", "simulated", "--topology", stack],
    ["sweep", "--vary", "rows=100,200", "--topology", stack],
    ["sweep", "--vary", "topology=\(stack),all-main"],
    ["advise", "--priority", "smoothness", "--topology", stack],
    ["explain", stack],
    ["run", "--kill-at", "100", "--topology", stack],
    ["run", "--strategy", "batch-insert", "--workload", "flat", "--mix", "100:0:0", "--topology", stack],
  ])
  func `what needs one process refuses the stack`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments, in: folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.errors.count == 1)
    #expect(outcome.errors.first?.contains("second") == true, "\(outcome.errors)")
    #expect(folder.contents(of: ".") == [])
  }

  @Test func `all+ has the stack with one process only`() {
    let all = Topology.all + Topology.relatives
    #expect(all.contains(.twoCoordinators) && all.allSatisfy { !$0.importsInSecondProcess })
  }

  // MARK: The cache of rows

  /// The reports of an importing process, which a test waits for.
  private final class Reports: Sendable {
    private let list = Guarded<[ImportReport]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func add(_ report: ImportReport) {
      list.withLock { $0.append(report) }
      arrived.signal()
    }

    /// Waits for a report, or for a failure.
    func wait(for report: ImportReport) throws {
      while true {
        let known = list.withLock { $0 }
        for case .failed(let failure) in known { throw failure }
        if known.contains(report) { return }
        arrived.wait()
      }
    }
  }

  /// A delegate that keeps errors.
  private final class Delegate: StackDelegate {
    let failure = Guarded<PersistenceError?>(nil)

    func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {}
    func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {}
    func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {}
    func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {}
    func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
      failure.withLock { $0 = error }
    }
  }

  /// Writes a workload that updates each of 40 rows, and their store.
  private func plan() throws -> TrialPlan {
    let paths = ["workload", "trial"].map { "\(folder.path)/\($0)" }
    for path in paths { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    var options = RunOptions()
    options.saveEvery = 20
    options.tracksHistory = true
    let base = "\(folder.path)/base.sqlite"
    _ = try PrepareTask.prepare(
      PrepareTask.Plan(
        workload: WorkloadOptions(
          workload: .flat, rows: 40, existingRows: 40, batchSize: 20, mix: Mix(inserts: 0, updates: 100, deletes: 0)),
        isBatchSizeStandard: false, isSaveEveryStandard: false, options: options, archive: paths[0], baseStore: base))
    return TrialPlan(
      topology: .twoCoordinatorsInProcesses, options: options, archive: paths[0], baseStore: base, scratch: paths[1],
      trial: 1)
  }

  @Test func `main has old rows in its cache until it merges the history of the second process`() throws {
    let plan = try plan()
    let schema = try EngineSchema(WorkloadArchive(opening: URL(fileURLWithPath: plan.archive)).schema)
    let path = "\(plan.scratch)/store.sqlite"
    try BaseStore.copy(from: plan.baseStore, to: path)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let instruments = TrialInstruments.live()
    let store = try instruments.openStore(machine, schema.model, path, plan.options)
    let delegate = Delegate()
    let stack = WiredStack(
      plan.topology.appPart, coordinator: PersistentStoreCoordinator(machine: machine, store: store),
      options: WiringOptions(
        mergePolicy: .objectTrump, laneCount: 1, screenEntities: [0], author: WiredStack.firstAuthor),
      delegate: delegate)
    let reports = Reports()
    let process = try ImportingProcess(
      ImportTask.Plan(trial: plan, clockOrigin: machine.clockOrigin), executable: Program.path, receive: reports.add)
    defer { process.end() }
    process.send(.open(store: path, recordLimit: nil))
    try reports.wait(for: .opened)

    let (main, entity) = (stack.uiContext(ofScreen: 0), schema.entities[0])
    let request = FetchRequest(entity.description, sortDescriptors: entity.sortDescriptors)
    let objects = try machine.mainQueue.sync { try main.event { try main.fetch(request) } }
    /// Returns the values that faults find.
    func values() throws -> [[Value]] {
      try machine.mainQueue.sync {
        try main.event {
          try objects.map { object in
            try main.refresh(object, mergeChanges: false)
            return entity.shown.map { object[$0] }
          }
        }
      }
    }
    let before = try values()
    #expect(before.count == 40)
    process.send(.start(at: machine.now))
    try reports.wait(for: .imported)
    // The second process has announced its saves, and the test has not passed the announcements on.
    #expect(try values() == before)
    #expect(try !stack.hasMergedRemoteChanges())

    stack.coordinator.checkForRemoteChanges()
    while try !stack.hasMergedRemoteChanges() { machine.wait(until: machine.now + .milliseconds(1)) }
    let after = try values()
    #expect(after != before)
    #expect(delegate.failure.withLock { $0 } == nil)

    process.send(.close)
    try reports.wait(for: .closed)
    stack.stopMergingRemoteChanges()
    try store.close()
    // A coordinator without cached rows reads what main has merged.
    let reopened = try instruments.openStore(machine, schema.model, path, plan.options)
    let reader = ManagedObjectContext(
      .privateQueue, coordinator: PersistentStoreCoordinator(machine: machine, store: reopened), name: "reader")
    let stored = try reader.performAndWait {
      try reader.fetch(request).map { object in ("\(object.objectID)", entity.shown.map { object[$0] }) }
    }
    let merged = zip(objects, after).map { ("\($0.objectID)", $1) }
    #expect(Dictionary(uniqueKeysWithValues: stored) == Dictionary(uniqueKeysWithValues: merged))
    try reopened.close()
  }
}
