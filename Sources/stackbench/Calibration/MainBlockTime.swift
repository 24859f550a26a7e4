import MachineCore

/// Adds up the time that the main thread spends in blocks.
final class MainBlockTime: MainThreadObserver {
  private struct State {
    var began = Instant(nanoseconds: 0)
    var total = Span.zero
  }

  private let state = Guarded(State())

  /// The time in all blocks that have ended.
  var total: Span { state.withLock { $0.total } }

  func blockBegan(at instant: Instant, cpu: Span) {
    state.withLock { $0.began = instant }
  }

  func blockEnded(at instant: Instant, cpu: Span) {
    state.withLock { $0.total += instant - $0.began }
  }

  func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant) {}
  func activityEnded(_ activity: Activity, at instant: Instant) {}
  func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant) {}
  func waitEnded(at instant: Instant) {}
}
