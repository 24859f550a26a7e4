import ContextEngine
import MachineCore

/// The measurements of one step until both of its ends.
struct StepTimes: Sendable {
  var done: PublishedMeasurement
  var rest: PublishedMeasurement
}

/// The contexts of a stack, children before their parents, and the delegate that follows their saves and merges.
struct WatchedStack: Sendable {
  var contexts: [ManagedObjectContext]
  var watch: StackWatch
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
