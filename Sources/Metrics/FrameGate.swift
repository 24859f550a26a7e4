import MachineCore
import Synchronization

/// Decides at a tick whether it posts a frame: only if none is pending or running at the tick's own instant.
///
/// A ticker that wakes late must not post because a frame ended in between, or a missed tick would count as met and
/// *posted + missed = ticks* would fail. One thread posts, another ends frames.
package final class FrameGate: Sendable {
  /// The end of the last frame; the greatest number while one is pending or running.
  private let busyUntil = Atomic<Int64>(.min)

  package init() {}

  /// Whether the tick due at `due` posts a frame; if so, the gate is shut until `frameEnded`.
  ///
  /// Call it for every tick, in order, not before the tick is due.
  package func posts(tickDueAt due: Instant) -> Bool {
    let end = busyUntil.load(ordering: .acquiring)
    guard end <= due.nanoseconds else { return false }
    busyUntil.store(.max, ordering: .releasing)
    return true
  }

  /// The frame has ended at `instant`; one that ends at a tick no longer runs at it.
  package func frameEnded(at instant: Instant) {
    busyUntil.store(instant.nanoseconds, ordering: .releasing)
  }
}
