import ContextEngine
import MachineCore

/// Saves a root into the store when a run says so, instead of after each change.
///
/// Thread-safe; blocks on nothing. The saves run on the root's queue.
final class RootSaves: Sendable {
  let root: ManagedObjectContext
  private let when: StoreSave
  private let save: @Sendable () -> Void
  private let state: Guarded<State>

  private struct State {
    var isTimerSet = false
    var lastChange: Instant
    /// When the import ended.
    var importEnd: Instant?
  }

  /// - Parameter save: saves the root; on its queue.
  init(_ root: ManagedObjectContext, when: StoreSave, save: @escaping @Sendable () -> Void) {
    self.root = root
    self.when = when
    self.save = save
    state = Guarded(State(lastChange: root.machine.now))
  }

  /// The root may hold something that is not saved.
  func noteChange() {
    let now = root.machine.now
    let due = state.withLock { state -> Instant? in
      state.lastChange = now
      guard !state.isTimerSet else { return nil }
      switch when {
      case .immediate: return now
      case .atEnd: return state.importEnd == nil ? nil : now
      case .every(let span), .idle(let span):
        state.isTimerSet = true
        return now + span
      }
    }
    guard let due else { return }
    if due > now {
      root.perform(at: due) { [self] in timerFired() }
    } else {
      root.perform(save)
    }
  }

  /// Nothing more is imported; the user may go on editing.
  func importEnded() {
    // Not under the lock: asking the time may let another thread run, which could want the lock.
    let now = root.machine.now
    state.withLock { $0.importEnd = now }
    if when == .atEnd { root.perform(save) }
  }

  /// On the root's queue.
  private func timerFired() {
    let now = root.machine.now
    let next = state.withLock { state -> Instant? in
      if case .idle(let span) = when {
        // A user who never rests must not keep the last payload from the store for ever.
        let idleSince = min(state.lastChange, state.importEnd ?? state.lastChange)
        if idleSince + span > now { return idleSince + span }
      }
      state.isTimerSet = false
      return nil
    }
    if let next {
      root.perform(at: next) { [self] in timerFired() }
    } else {
      save()
    }
  }
}
