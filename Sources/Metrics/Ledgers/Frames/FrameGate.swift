import MachineCore

/// A gate that decides at each tick whether it posts a frame: only if no frame is pending or running at the tick's own
/// instant.
///
/// A ticker that wakes late must not post because a frame ended in the interim, or a missed tick would count as met and
/// *posted + missed = ticks* would not hold. One thread posts frames, and another ends them.
package final class FrameGate: Sendable {
  private struct State: Sendable {
    /// The end of the last frame, or the greatest integer while a frame is pending or running.
    var busyUntil = Int64.min
    /// The last tick that found the gate shut.
    var missed = Int64.min
  }

  private let state = Guarded(State())

  package init() {}

  /// Returns true if the tick due at `due` posts a frame. The gate is then shut until `frameEnded` is called.
  ///
  /// Call it for every tick, in order, and not before the tick is due.
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

  /// Records that the frame has ended. A frame that ends at a tick no longer runs at that tick.
  ///
  /// - Parameter instant: The instant at which the frame ended.
  /// - Returns: The instant at which the frame has ended for the ticks: just after the last tick that found the gate
  ///   shut at or after `instant`, while the main thread was on its way to this call; otherwise `instant`.
  package func frameEnded(at instant: Instant) -> Instant {
    state.withLock { state in
      let end = max(instant.nanoseconds, state.missed >= instant.nanoseconds ? state.missed + 1 : .min)
      state.busyUntil = end
      state.missed = .min
      return Instant(nanoseconds: end)
    }
  }
}
