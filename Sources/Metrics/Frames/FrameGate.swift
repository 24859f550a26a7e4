import MachineCore

/// Decides at a tick whether it posts a frame: only if none is pending or running at the tick's own instant.
///
/// A ticker that wakes late must not post because a frame ended in between, or a missed tick would count as met and
/// *posted + missed = ticks* would fail. One thread posts, another ends frames.
package final class FrameGate: Sendable {
  private struct State: Sendable {
    /// The end of the last frame; the greatest number while one is pending or running.
    var busyUntil = Int64.min
    /// The last tick that found the gate shut.
    var missed = Int64.min
  }

  private let state = Guarded(State())

  package init() {}

  /// Whether the tick due at `due` posts a frame; if so, the gate is shut until `frameEnded`.
  ///
  /// Call it for every tick, in order, not before the tick is due.
  package func posts(tickDueAt due: Instant) -> Bool {
    state.withLock { state in
      guard state.busyUntil <= due.nanoseconds else {
        state.missed = due.nanoseconds
        return false
      }
      state.busyUntil = .max
      return true
    }
  }

  /// The frame has ended at `instant`; one that ends at a tick no longer runs at it.
  ///
  /// - Returns: when it has ended as far as ticks are concerned: just after one that came while the main thread was on its
  ///   way here and found the gate shut, else `instant`.
  package func frameEnded(at instant: Instant) -> Instant {
    state.withLock { state in
      let end = max(instant.nanoseconds, state.missed >= instant.nanoseconds ? state.missed + 1 : .min)
      state.busyUntil = end
      state.missed = .min
      return Instant(nanoseconds: end)
    }
  }
}
