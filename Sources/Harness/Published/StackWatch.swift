import ContextEngine
import MachineCore
import Topologies

/// Hears of every save and merge of a stack, to know when the last one ended.
final class StackWatch: StackDelegate {
  private let machine: any Machine
  private let state: Guarded<State>

  private struct State {
    var lastActivity: Instant
    var activityCount = 0
    var failure: (any Error)?
    /// Fetches the UI's list again; set once the row shows one.
    var refetch: (@Sendable () -> Void)?
  }

  init(machine: any Machine) {
    self.machine = machine
    state = Guarded(State(lastActivity: machine.now))
  }

  /// The instant at which the last save or merge so far had done its work.
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

  func stack(_ stack: WiredStack, didPostMergeOf save: SaveNotification) {}

  func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification) {}

  func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {
    for screen in screens { stack.uiContext(ofScreen: screen).reset() }
    state.withLock { $0.refetch }?()
    noteActivity()
  }

  func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
    fail(error)
  }
}
