import MachineCore

/// An observer that adds up the time that the main thread spends in blocks.
package final class MainBlockTime: MainThreadObserver {
  private struct State {
    var began = Instant(nanoseconds: 0)
    var total = TimeSpan.zero
  }

  private let state = Guarded(State())

  /// The time spent in all blocks that have ended.
  var total: TimeSpan { state.withLock { $0.total } }

  package func blockBegan(at instant: Instant, cpu: TimeSpan) {
    state.withLock { $0.began = instant }
  }

  package func blockEnded(at instant: Instant, cpu: TimeSpan) {
    state.withLock { $0.total += instant - $0.began }
  }

  package func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant) {}
  package func activityEnded(_ activity: Activity, at instant: Instant) {}
  package func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant) {}
  package func waitEnded(at instant: Instant) {}
}
