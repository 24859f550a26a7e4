import MachineSimulated
import TrialProcesses

/// Runs a program under several schedules.
package enum ExploreTask: ChildTask {
  package static let name = "child-explore"

  package struct Plan: Codable, Sendable {
    package var program: ExploredProgram
    package var batch: Batch
    /// An existing, empty folder for the stores.
    package var folder: String
    /// The number of runs that break a law after which the task ends early.
    package var failureLimit: Int

    package init(program: ExploredProgram, batch: Batch, folder: String, failureLimit: Int) {
      self.program = program
      self.batch = batch
      self.folder = folder
      self.failureLimit = failureLimit
    }
  }

  /// The schedules of a task.
  package enum Batch: Codable, Sendable {
    /// The schedules of consecutive seeds.
    case seeds(SeededSearch, first: UInt64, count: Int)
    /// The schedules with at most some deviations, in the order of a depth-first search from one of them on.
    case exhaustive(from: [Int], deviationLimit: Int, count: Int)
    /// One schedule, whose steps are recorded.
    case recorded(ScheduleSearch)
  }

  package struct Answer: Codable, Sendable {
    /// The number of schedules that ran and count.
    package var count = 0
    /// The number of schedules without an edit, which do not count.
    package var incompleteCount = 0
    /// The orders of events of the schedules that count, each once, in ascending order.
    package var orders: [UInt64] = []
    /// The largest number of decisions of a run.
    package var decisionCount = 0
    package var failures: [Failure] = []
    /// The choices of the schedule with which an exhaustive search goes on, or nil if it has ended.
    package var next: [Int]?
    /// The seed with which seeded schedules go on after the task has ended early, or nil.
    package var nextSeed: UInt64?
    /// The steps of a recorded run, or nil for other batches.
    package var interleaving: Interleaving?
    /// True if threads are left in the process that wait for ever.
    package var leavesThreads = false
  }

  /// A run that broke a law.
  package struct Failure: Codable, Hashable, Sendable {
    package var complaint: String
    /// The seed of the schedule, or nil if it has none.
    package var seed: UInt64?
    package var deviations: [ScheduleSearch.Deviation]
    /// True if the run stopped its process, and left no record of its choices.
    package var stopsProcess = false
  }

  package static func sharedFolder(_ plan: Plan) -> String? { plan.folder }

  package static func keepsProcess(after answer: Answer) -> Bool { !answer.leavesThreads }

  package static func answer(_ plan: Plan) throws -> Answer {
    Heap.keepFreedMemory()
    var tally = Tally(plan)
    do {
      switch plan.batch {
      case .seeds(let search, let first, let count):
        for seed in first..<first + UInt64(count) where !tally.isFull {
          try tally.run(search.schedule(of: seed), seed: seed)
          tally.answer.nextSeed = tally.isFull && seed + 1 < first + UInt64(count) ? seed + 1 : nil
        }
      case .exhaustive(let choices, let limit, let count):
        var next: [Int]? = choices
        for _ in 0..<count where !tally.isFull {
          guard let choices = next else { break }
          let decisions = try tally.run(.deviations(ExhaustiveSearch.deviations(choices)), seed: nil)
          next = ExhaustiveSearch(deviationLimit: limit).schedule(after: decisions)
        }
        tally.answer.next = next
      case .recorded(let search):
        let recorder = StepRecorder()
        let decisions = try tally.run(search, seed: nil, recorder)
        let first = decisions.first { $0.choice > 0 }
        tally.answer.interleaving = Interleaving(recorder.events, around: first?.instant)
      }
    } catch {
      throw RunFailure.unexpected(error, in: plan.folder)
    }
    tally.answer.orders = tally.orders.sorted()
    return tally.answer
  }

  /// The runs of a task so far.
  private struct Tally {
    let plan: Plan
    var answer = Answer()
    var orders: Set<UInt64> = []

    init(_ plan: Plan) { self.plan = plan }

    var isFull: Bool { answer.failures.count >= plan.failureLimit }

    @discardableResult
    mutating func run(
      _ search: ScheduleSearch, seed: UInt64?, _ recorder: StepRecorder? = nil
    ) throws -> [ScheduleExplorer.Decision] {
      let run = try plan.program.run(search, in: plan.folder, recorder: recorder)
      if let complaint = run.complaint {
        answer.failures.append(Failure(complaint: complaint, seed: seed, deviations: run.deviations))
      }
      if run.isComplete || run.complaint != nil {
        answer.count += 1
        orders.insert(run.order)
      } else {
        answer.incompleteCount += 1
      }
      answer.decisionCount = max(answer.decisionCount, run.decisions.count)
      if !run.hasEnded { answer.leavesThreads = true }
      return run.decisions
    }
  }
}
