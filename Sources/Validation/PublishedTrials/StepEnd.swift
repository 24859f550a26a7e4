import ContextEngine
import MachineCore
import Topologies

/// The measurements of one step until both of its ends.
struct StepTimes: Sendable {
  var done: PublishedMeasurement
  var rest: PublishedMeasurement
}

/// The contexts of a stack, children before their parents, the delegate that follows their saves and merges, and the
/// memory of each coordinator.
struct WatchedStack: Sendable {
  let contexts: [ManagedObjectContext]
  let watch: StackWatch
  let footprints: [MemoryFootprint]

  init(_ stack: WiredStack, contexts: [ManagedObjectContext], watch: StackWatch) {
    self.contexts = contexts
    self.watch = watch
    footprints = ([stack.coordinator] + stack.otherCoordinators).map(\.footprint)
  }
}

/// The end of a step's last block, with its instant and the totals of the threads at that time.
final class StepEnd: Sendable {
  private let state: Guarded<State>

  private struct State {
    var unfinishedCount: Int
    var end: (instant: Instant, reading: ThreadReading)?
  }

  /// - Parameter listCount: The number of lists of blocks that the step runs at once.
  init(listCount: Int = 1) {
    state = Guarded(State(unfinishedCount: listCount))
  }

  /// Records that one list has ended.
  func note(_ instant: Instant, _ reading: ThreadReading) {
    state.withLock { state in
      state.unfinishedCount -= 1
      if state.unfinishedCount == 0 { state.end = (instant, reading) }
    }
  }

  /// The end of the last list, or nil while one is running.
  var end: (instant: Instant, reading: ThreadReading)? { state.withLock { $0.end } }
}
