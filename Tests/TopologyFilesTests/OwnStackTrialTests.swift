import Foundation
import Harness
import InputFiles
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses
import Workloads

/// Whole trials of stacks that are not among the known ones.
@Suite(.serialized) struct OwnStackTrialTests {
  private let folder: TemporaryFolder
  private let options: RunOptions
  private let profile: Profile

  init() throws {
    folder = try TemporaryFolder()
    profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    var options = RunOptions(simulating: profile)
    options.warmup = 0
    options.saveEvery = 20
    options.viewControllers = 2
    options.userEditInterval = .milliseconds(20)
    options.scrollSpeed = 200
    options.timeLimit = .seconds(60)
    self.options = options
    for lanes in [1, 2] {
      _ = try PrepareTask.prepare(
        PrepareTask.Plan(
          workload: WorkloadOptions(
            workload: .catalog, rows: 160, existingRows: 100, batchSize: 40, mix: .standard, lanes: lanes,
            seed: options.seed),
          isBatchSizeStandard: false, isSaveEveryStandard: false, options: options,
          archive: try newFolder("archive-\(lanes)"), baseStore: "\(folder.path)/base-\(lanes).sqlite"))
    }
  }

  private func newFolder(_ name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func plan(_ topology: Topology, _ options: RunOptions) throws -> TrialPlan {
    TrialPlan(
      topology: topology, options: options, archive: "\(folder.path)/archive-\(options.lanes)",
      baseStore: "\(folder.path)/base-\(options.lanes).sqlite",
      scratch: try newFolder("trial-\(UUID().uuidString)"), trial: 1, profile: profile.name)
  }

  private func simulate(_ topology: Topology, _ options: RunOptions) throws -> (TrialRecord, complaints: [String]) {
    try SimulatedTrial(
      plan(topology, options), Simulation(profile: profile, seed: options.seed, isTraced: false)
    ).run(WorkLedger(), MainQueueLedger(tickCapacity: 10_000))
  }

  /// Expects a verified trial whose screens show every payload and every edit in the end.
  private func check(_ outcome: (record: TrialRecord, complaints: [String]), _ topology: Topology) throws {
    #expect(outcome.record.measures.verified == 1, "\(topology.title): \(outcome.complaints)")
    #expect(outcome.record.measures.staleRowsCount == 0 && outcome.record.measures.lostEditsCount == 0)
    #expect(try #require(outcome.record.measures.visibleNanoseconds) > 0)
    #expect(outcome.record.identity.topology == topology.id)
  }

  @Test(arguments: OwnStacks.texts)
  func `a stack of one's own is simulated and verified`(text: String) throws {
    let topology = try OwnStacks.topology(text)
    try check(try simulate(topology, options), topology)
  }

  @Test(arguments: OwnStacks.texts)
  func `a stack of one's own runs on real threads and is verified`(text: String) throws {
    let topology = try OwnStacks.topology(text)
    let mainQueue = MainQueueLedger(tickCapacity: 10_000)
    let work = WorkLedger()
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    defer { machine.stop() }
    let trial = Trial(
      plan: try plan(topology, options), machine: machine, work: work, mainQueue: mainQueue, instruments: .live())
    try check(try trial.run(), topology)
  }

  @Test(arguments: OwnStacks.texts, [0, 3])
  func `a stack of one's own ends verified with two lanes and any number of screens`(text: String, screens: Int) throws
  {
    let topology = try OwnStacks.topology(text)
    var options = options
    options.lanes = 2
    options.viewControllers = screens
    options.storeSave = topology.savingRoot == nil ? .immediate : .atEnd
    let outcome = try simulate(topology, options)
    #expect(outcome.0.measures.verified == 1, "\(topology.title): \(outcome.complaints)")
  }

  @Test func `the description that a file may not have for its deadlock does deadlock`() throws {
    let topology = Topology(
      id: "deadlock", number: "own", summary: "main waits for root, and root for main",
      contexts: [
        ContextDescription(name: "top", queue: .main, lifetime: .app),
        ContextDescription(name: "root", queue: .private, parent: "top", lifetime: .app),
        ContextDescription(name: "main", queue: .main, parent: "root", lifetime: .app),
      ],
      uiContext: "main", importContext: "root",
      rules: [
        Rule(trigger: .didSave("main"), action: .save("root")), Rule(trigger: .didSave("root"), action: .save("top")),
      ])
    let error = #expect(throws: (any Error).self) { try simulate(topology, options) }
    #expect(error.map { "\($0)".contains("deadlock") } == true, "\(error.map { "\($0)" } ?? "")")
  }
}
