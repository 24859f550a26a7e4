import ContextEngine
import Experiments
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import TestSupport
import Testing
import Topologies
import TrialProcesses

/// The exploration of stacks and scenarios, in this process.
@Suite struct ExplorationTests {
  private let folder: TemporaryFolder
  private let scratch: TrialProcesses.ScratchFolder
  private let profile: Profile

  init() throws {
    folder = try TemporaryFolder()
    scratch = try TrialProcesses.ScratchFolder(in: folder.path)
    profile = try ProfileLibrary.profile(named: "iphone-15-pro")
  }

  private func answer(
    _ program: ExploredProgram, _ batch: ExploreTask.Batch, failureLimit: Int = .max
  ) throws -> ExploreTask.Answer {
    let stores = try scratch.makeFolder("stores")
    defer { scratch.removeFolder(stores) }
    return try ExploreTask.answer(
      ExploreTask.Plan(program: program, batch: batch, folder: stores, failureLimit: failureLimit))
  }

  private func program(_ topology: Topology, rows: Int = 24) throws -> ExploredProgram {
    try ExploredImport(rows: rows, lanes: 2, profile: profile).programs(for: [topology], in: scratch)[0].1
  }

  private static let search = SeededSearch(.mixed, depth: 3, length: 1_000)

  @Test(arguments: (Topology.all + Topology.relatives).filter { !$0.importsInSecondProcess })
  func `a stack keeps the laws in different orders of its threads`(topology: Topology) throws {
    let answer = try answer(try program(topology), .seeds(Self.search, first: 1, count: 20))
    #expect(answer.failures == [])
    #expect(answer.count >= 18 && answer.orders.count > 10 && answer.decisionCount > 500)
  }

  @Test func `a seed gives the same orders again`() throws {
    let program = try program(.threeTier)
    let batch = ExploreTask.Batch.seeds(Self.search, first: 7, count: 4)
    #expect(try answer(program, batch).orders == answer(program, batch).orders)
  }

  @Test func `a planted lost edit is found`() throws {
    guard case .trial(var plan, let simulation) = try program(.workerMerge(.notification)) else {
      Issue.record("a stack is explored as a scenario")
      return
    }
    // The check of the trial expects the run's policy, which keeps edits.
    let complaints = try (1...60 as ClosedRange<UInt64>).lazy.map { seed -> [String] in
      plan.scratch = try scratch.makeFolder("store-\(seed)")
      let trial = SimulatedTrial(plan, simulation, explorer: ScheduleExplorer(.random(seed: seed))) { context in
        if context.name == "worker" { context.mergePolicy = .overwrite }
      }
      return try trial.run(WorkLedger(), MainQueueLedger(tickCapacity: 100)).complaints
    }.first { !$0.isEmpty }
    #expect(try #require(complaints).contains { $0.contains("edit") })
  }

  @Test func `a planted deadlock is found, and its cure has none`() throws {
    let batch = ExploreTask.Batch.seeds(Self.search, first: 1, count: 40)
    let found = try answer(
      .scenario(id: "stops-sometimes", side: .trouble, profile: profile), batch, failureLimit: 1)
    #expect(found.failures.count == 1 && found.failures[0].complaint.contains("deadlock"))
    #expect(found.leavesThreads && found.nextSeed != nil)
    let cured = try answer(.scenario(id: "stops-sometimes", side: .cure, profile: profile), batch)
    #expect(cured.failures == [] && cured.count == 40)
  }

  @Test func `an exhaustive search goes on where a task ended`() throws {
    let program = try program(.allMain, rows: 2)
    func orders(inTasksOf count: Int) throws -> (orders: Set<UInt64>, count: Int) {
      var found: (orders: Set<UInt64>, count: Int) = ([], 0)
      var next: [Int]? = []
      while let choices = next {
        let answer = try answer(program, .exhaustive(from: choices, deviationLimit: 1, count: count))
        found.orders.formUnion(answer.orders)
        found.count += answer.count + answer.incompleteCount
        next = answer.next
      }
      return found
    }
    let whole = try orders(inTasksOf: 100_000)
    let parts = try orders(inTasksOf: 97)
    #expect(whole.count == parts.count && whole.orders == parts.orders && whole.count > 100)
  }

  @Test func `the steps of a schedule are recorded in two columns`() throws {
    let answer = try answer(
      .scenario(id: "find-or-create-race", side: .trouble, profile: profile), .recorded(.deviations([])))
    let blocks = try #require(answer.interleaving).blocks
    #expect("\(blocks)".contains("finds no note with the key 7"))
  }
}
