import MachineSimulated
import TrialProcesses

/// Runs a program under many schedules, several at a time.
package struct Exploration: Sendable {
  private let children: Children
  private let program: ExploredProgram
  private let progress: any ProgressDisplay

  /// The number of tasks that one round gives to the children. It is the same on all computers, so that what an
  /// exploration finds is too.
  private static let taskCount = 8
  /// The largest number of schedules of a task.
  private static let batchLimit = 250
  /// The largest number of decisions of all runs in which a schedule is shortened.
  private static let shorteningLimit = 4_000_000
  /// The number of runs that break a law after which a process is replaced, because their threads stay in it.
  private static let failureLimit = 8

  /// The schedules of an exploration.
  package enum Schedules: Hashable, Sendable {
    case seeded(SeededSearch.Kind, depth: Int, first: UInt64, count: Int)
    /// All schedules with at most some deviations, but no more than a number.
    case exhaustive(deviations: Int, limit: Int)
    /// One schedule.
    case one([ScheduleSearch.Deviation])
  }

  /// The result of an exploration.
  package struct Outcome: Sendable {
    /// The number of schedules that count.
    package var count = 0
    /// The number of schedules without an edit, which do not count.
    package var incompleteCount = 0
    /// The orders of events, each once.
    var orders: Set<UInt64> = []
    /// The largest number of decisions of a run.
    package var decisionCount = 0
    /// The number of schedules that broke a law.
    package var failureCount = 0
    /// The first schedule that broke a law, or nil if none did.
    package var first: ExploreTask.Failure?
    /// The deviations of that schedule that are left after it was shortened, or nil if it stops its process and so
    /// leaves no record of them.
    package var shortened: [ScheduleSearch.Deviation]?
    /// The steps of the shortened schedule.
    package var interleaving: Interleaving?
    /// True if an exhaustive search has run every schedule.
    package var isExhausted = false

    /// The number of different orders of events.
    package var orderCount: Int { orders.count }

    fileprivate mutating func add(_ answer: ExploreTask.Answer) {
      count += answer.count
      incompleteCount += answer.incompleteCount
      orders.formUnion(answer.orders)
      decisionCount = max(decisionCount, answer.decisionCount)
      failureCount += answer.failures.count
      if first == nil { first = answer.failures.first }
    }
  }

  package init(_ program: ExploredProgram, children: Children, progress: any ProgressDisplay) {
    self.program = program
    self.children = children
    self.progress = progress
  }

  /// Explores schedules.
  ///
  /// - Parameters:
  ///   - schedules: The schedules.
  ///   - keepsGoing: True to count all schedules that break a law; false to end with the round in which one does.
  /// - Returns: What was found.
  /// - Throws: `RunFailure` if a child cannot be run or the program cannot be set up, or `CancellationError`.
  package func run(_ schedules: Schedules, keepsGoing: Bool) async throws -> Outcome {
    var outcome = Outcome()
    switch schedules {
    case .seeded(let kind, let depth, let first, let count):
      // The length of the schedule without deviations says where priorities may change.
      let plain = try await survivingAnswer(.recorded(.deviations([])), seed: nil)
      let search = SeededSearch(kind, depth: depth, length: plain.decisionCount)
      try await explore(search, first: first, count: count, keepsGoing: keepsGoing, into: &outcome)
    case .exhaustive(let deviations, let limit):
      try await exhaust(deviations: deviations, limit: limit, keepsGoing: keepsGoing, into: &outcome)
    case .one(let deviations):
      outcome.add(try await survivingAnswer(.recorded(.deviations(deviations)), seed: nil))
    }
    if let first = outcome.first { try await explain(first, in: &outcome) }
    return outcome
  }

  private func explore(
    _ search: SeededSearch, first: UInt64, count: Int, keepsGoing: Bool, into outcome: inout Outcome
  ) async throws {
    var begun = 0
    var size = 25
    while begun < count, keepsGoing || outcome.first == nil {
      let left = count - begun
      let batch = min(size, (left + Self.taskCount - 1) / Self.taskCount)
      let starts = stride(from: begun, to: min(begun + batch * Self.taskCount, count), by: batch).map(\.self)
      let batches = starts.map { start in
        ExploreTask.Batch.seeds(search, first: first + UInt64(start), count: min(batch, count - start))
      }
      do {
        for answer in try await answers(batches) { outcome.add(answer) }
      } catch let failure as RunFailure where failure.kind == .failed {
        try await add(batches, oneByOneInto: &outcome)
      }
      begun = min(begun + batch * Self.taskCount, count)
      size = min(size * 2, Self.batchLimit)
      progress.show("\(begun) of \(count) schedules, \(outcome.orderCount) orders, \(outcome.failureCount) failures")
    }
  }

  /// Runs the schedules of a round one by one, because one of them has stopped its process. It becomes a failure.
  private func add(_ batches: [ExploreTask.Batch], oneByOneInto outcome: inout Outcome) async throws {
    for case .seeds(let search, let first, let count) in batches {
      for seed in first..<first + UInt64(count) {
        outcome.add(try await survivingAnswer(.seeds(search, first: seed, count: 1), seed: seed))
      }
    }
  }

  private func exhaust(
    deviations: Int, limit: Int, keepsGoing: Bool, into outcome: inout Outcome
  ) async throws {
    var next: [Int]? = []
    while let choices = next, outcome.count < limit, keepsGoing || outcome.first == nil {
      let answer = try await answer(
        .exhaustive(
          from: choices, deviationLimit: deviations,
          count: min(Self.batchLimit, limit - outcome.count - outcome.incompleteCount)))
      outcome.add(answer)
      next = answer.next
      progress.show("\(outcome.count) schedules, \(outcome.orderCount) orders, \(outcome.failureCount) failures")
    }
    outcome.isExhausted = next == nil
  }

  /// Shortens the first schedule that broke a law, and records its steps.
  private func explain(_ failure: ExploreTask.Failure, in outcome: inout Outcome) async throws {
    guard !failure.stopsProcess else { return }
    progress.show("shortening a schedule of \(failure.deviations.count) deviations")
    let runLimit = max(20, min(2_000, Self.shorteningLimit / max(1, outcome.decisionCount)))
    let shortened = try await ScheduleShortening(runLimit: runLimit).shortest(failure.deviations) {
      try await survivingAnswer(.recorded(.deviations($0)), seed: nil).failures.first?.deviations
    }
    let last = try await survivingAnswer(.recorded(.deviations(shortened)), seed: nil)
    outcome.shortened = shortened
    outcome.first?.complaint = last.failures.first?.complaint ?? failure.complaint
    outcome.interleaving = last.interleaving
  }
}

// MARK: - Children

extension Exploration {
  private func answer(_ batch: ExploreTask.Batch) async throws -> ExploreTask.Answer {
    try await answers([batch])[0]
  }

  /// Returns the answer to a batch of one schedule. One that stops its process is a failure.
  private func survivingAnswer(_ batch: ExploreTask.Batch, seed: UInt64?) async throws -> ExploreTask.Answer {
    do {
      return try await answer(batch)
    } catch let failure as RunFailure where failure.kind == .failed {
      var answer = ExploreTask.Answer()
      answer.count = 1
      answer.failures = [
        ExploreTask.Failure(complaint: "\(failure)", seed: seed, deviations: [], stopsProcess: true)
      ]
      return answer
    }
  }

  /// Returns the answers to batches, in their order. A batch that ended early goes on in another process.
  private func answers(_ batches: [ExploreTask.Batch]) async throws -> [ExploreTask.Answer] {
    var answers: [ExploreTask.Answer] = []
    var left = batches
    while !left.isEmpty {
      let folders = try left.indices.map { try children.scratch.makeFolder("explored-\($0)") }
      defer { for folder in folders { children.scratch.removeFolder(folder) } }
      let plans = zip(left, folders).map { batch, folder in
        ExploreTask.Plan(program: program, batch: batch, folder: folder, failureLimit: Self.failureLimit)
      }
      let found = try await children.answers(of: ExploreTask.self, count: plans.count, timeLimit: nil) { index, _ in
        plans[index]
      }
      answers += found
      left = zip(left, found).compactMap { batch, answer in
        guard case .seeds(let search, let first, let count) = batch, let next = answer.nextSeed else { return nil }
        return .seeds(search, first: next, count: count - Int(next - first))
      }
    }
    return answers
  }
}
