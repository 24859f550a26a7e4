import ContextEngine
import MachineCore

/// Saves a root context into the store at the times that a run has chosen, instead of after each change.
///
/// This class is thread-safe, and its methods never block. The saves run on the root's queue.
final class RootSaves: Sendable {
  let root: ManagedObjectContext
  private let when: StoreSave
  private let save: @Sendable () -> Void
  private let state: Guarded<State>

  private struct State {
    var isTimerSet = false
    var lastChange: Instant
    /// The time at which the import ended, or nil while it is running.
    var importEnd: Instant?
  }

  /// Creates the saves of a root context. The time of creation counts as that of its last change. `save` saves the
  /// root, and is called on the root's queue.
  init(_ root: ManagedObjectContext, when: StoreSave, save: @escaping @Sendable () -> Void) {
    self.root = root
    self.when = when
    self.save = save
    state = Guarded(State(lastChange: root.machine.now))
  }

  /// Arranges a save at the time that the run has chosen, because the root may now hold unsaved changes.
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

  /// Notes that the import has ended. The user may go on editing afterwards.
  func importEnded() {
    // The time is read before the lock is taken: reading it may let another thread run, and that thread could want the
    // lock.
    let now = root.machine.now
    state.withLock { $0.importEnd = now }
    if when == .atEnd { root.perform(save) }
  }

  /// Saves the root, or sets the timer again if the root has not been idle for long enough. Runs on the root's queue.
  private func timerFired() {
    let now = root.machine.now
    let next = state.withLock { state -> Instant? in
      if case .idle(let span) = when {
        // A user who never stops editing must not keep the last payload out of the store for ever.
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
