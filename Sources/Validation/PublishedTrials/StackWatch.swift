import ContextEngine
import MachineCore
import Topologies

/// The delegate of a stack, which records the time of the last save or merge.
final class StackWatch: StackDelegate {
  private let machine: any Machine
  private let state: Guarded<State>

  private struct State {
    var lastActivity: Instant
    var activityCount = 0
    var failure: (any Error)?
    /// A closure that fetches the UI's list again, or nil as long as the row does not show a list.
    var refetch: (@Sendable () -> Void)?
  }

  init(machine: any Machine) {
    self.machine = machine
    state = Guarded(State(lastActivity: machine.now))
  }

  /// The instant at which the last save or merge so far ended.
  var lastActivity: Instant { state.withLock { $0.lastActivity } }

  /// The number of saves, merges and refetches so far.
  var activityCount: Int { state.withLock { $0.activityCount } }

  /// The first error of a save that a rule of the stack asked for.
  var failure: (any Error)? { state.withLock { $0.failure } }

  func onRefetch(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.refetch = body }
  }

  func fail(_ error: any Error) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
  }

  private func noteActivity() {
    let now = machine.now
    state.withLock { state in
      state.lastActivity = max(state.lastActivity, now)
      state.activityCount += 1
    }
  }

  func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {
    _ = context.observeDidSave { [self] save in
      if !save.isEmpty { noteActivity() }
    }
    _ = context.observeMerges { [self] merge in
      if merge.stage == .ended { noteActivity() }
    }
  }

  func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {}

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {}

  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {
    for screen in screens { stack.uiContext(ofScreen: screen).reset() }
    state.withLock { $0.refetch }?()
    noteActivity()
  }

  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    fail(error)
  }
}
