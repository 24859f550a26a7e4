import Foundation

extension Children {
  /// Runs a child for each of `count` plans, as many at a time as this computer has cores.
  ///
  /// - Parameters:
  ///   - task: The type of the task that the children do.
  ///   - count: The number of plans.
  ///   - timeLimit: The time after which a child is killed, or nil for no limit.
  ///   - plan: Returns the plan with an index for a child on a core. The core is nil if one child runs at a time.
  ///   - ended: Receives the number of children that have ended, each time one ends.
  /// - Returns: The answers, in the order of the plans.
  /// - Throws: The failure of the first child that failed, after the others were killed, or `CancellationError`.
  package func answers<Job: ChildTask>(
    of task: Job.Type, count: Int, timeLimit: Duration?,
    plan: @escaping @Sendable (_ index: Int, _ core: Int?) throws -> Job.Plan,
    ended: (Int) -> Void = { _ in }
  ) async throws -> [Job.Answer] {
    let width = min(ProcessInfo.processInfo.activeProcessorCount, count)
    var answers = [Job.Answer?](repeating: nil, count: count)
    try await withThrowingTaskGroup(of: (index: Int, core: Int, answer: Job.Answer).self) { group in
      var next = 0
      var endedCount = 0
      func start(onCore core: Int) {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { [self] in
          let plan = try plan(index, width > 1 ? core : nil)
          return (index, core, try await answer(of: task, to: plan, timeLimit: timeLimit))
        }
      }
      for core in 0..<width { start(onCore: core) }
      while let one = try await group.next() {
        answers[one.index] = one.answer
        endedCount += 1
        ended(endedCount)
        start(onCore: one.core)
      }
    }
    try Task.checkCancellation()
    return answers.compactMap(\.self)
  }
}
