import ContextEngine
import MachineCore

/// A runner of lists of parts, which reports when the last block of each list has done its work.
///
/// Any thread may call it.
final class ScriptRunner: Sendable {
  private let machine: any Machine
  private let state = Guarded(State())

  private struct State {
    var failure: PersistenceError?
  }

  init(machine: any Machine) {
    self.machine = machine
  }

  /// The first error that ended a list.
  var failure: PersistenceError? { state.withLock { $0.failure } }

  /// Posts the first block. `completion` runs inside the last block, when its work has been reported.
  func run(_ parts: [ScriptPart], completion: @escaping @Sendable () -> Void) {
    run(parts[...], then: completion)
  }

  private func run(_ parts: ArraySlice<ScriptPart>, then completion: @escaping @Sendable () -> Void) {
    guard let part = parts.first else { return completion() }
    let start = part.interval > .zero ? machine.now : nil
    post(0, of: part, startedAt: start) { [self] in run(parts.dropFirst(), then: completion) }
  }

  private func post(
    _ block: Int, of part: ScriptPart, startedAt start: Instant?, then next: @escaping @Sendable () -> Void
  ) {
    let body: @Sendable () -> Void = { [self] in
      guard let hasMore = run(block, of: part) else { return }
      if hasMore { return post(block + 1, of: part, startedAt: start, then: next) }
      // The work of the block belongs to the step, so it is reported before the reading is taken.
      part.context.processPendingChanges()
      part.context.reportWork()
      next()
    }
    if let start {
      part.context.perform(at: start + part.interval * Int64(block), body)
    } else {
      part.context.perform(body)
    }
  }

  /// Runs a block. Returns true if another block follows, or nil if this one has failed.
  private func run(_ block: Int, of part: ScriptPart) -> Bool? {
    do throws(PersistenceError) {
      guard part.isImport else { return try part.body(block) }
      return try machine.recorder.during(.importing) { () throws(PersistenceError) in try part.body(block) }
    } catch {
      state.withLock { if $0.failure == nil { $0.failure = error } }
      return nil
    }
  }
}
