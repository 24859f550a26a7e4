import Foundation

extension Children {
  /// The answers to `count` plans, in their order: as many children at a time as this computer has cores.
  ///
  /// - Parameters:
  ///   - plan: makes plan number `index` for a child on core `core`; nil = wherever, when there is one at a time.
  ///   - ended: hears how many have ended.
  /// - Throws: what the first child that failed said, with the others killed; `CancellationError`.
  func answers<Command: ChildCommand>(
    of command: Command.Type, count: Int, timeLimit: Duration?,
    plan: @escaping @Sendable (_ index: Int, _ core: Int?) throws -> Command.Plan,
    ended: (Int) -> Void = { _ in }
  ) async throws -> [Command.Answer] {
    let width = min(ProcessInfo.processInfo.activeProcessorCount, count)
    var answers = [Command.Answer?](repeating: nil, count: count)
    try await withThrowingTaskGroup(of: (index: Int, core: Int, answer: Command.Answer).self) { group in
      var next = 0
      var endedCount = 0
      func start(onCore core: Int) {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { [self] in
          let plan = try plan(index, width > 1 ? core : nil)
          return (index, core, try await answer(of: command, to: plan, timeLimit: timeLimit).answer)
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
