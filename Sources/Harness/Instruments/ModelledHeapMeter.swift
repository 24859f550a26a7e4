import ContextEngine
import MachineCore

/// A meter that uses the engine's estimate of the memory of a trial's contexts and row cache instead of the heap.
///
/// It is used on a simulated machine, where an allocator's figures would depend on the host, the machine and the build.
/// The engine keeps the peak, so the meter takes no samples. The figures are not comparable with an allocator's,
/// because they include only registered objects, their rows and their changes.
package final class ModelledHeapMeter: HeapMeter {
  private struct State: Sendable {
    var footprint: MemoryFootprint?
    /// The number of bytes that the stack held when the window opened, or nil if no window is open.
    var bytesAtStart: Int?
  }

  private let state = Guarded(State())

  package init() {}

  /// Measures a stack from the next window on.
  package func watch(_ footprint: MemoryFootprint) {
    state.withLock { $0 = State(footprint: footprint) }
  }

  package func openWindow() {
    state.withLock { $0.bytesAtStart = $0.footprint?.restart() }
  }

  /// Does not do anything, because the engine keeps the peak.
  package func sample() {}

  /// Ends the window and returns its figures, or nil if no window is open or no stack was opened before it.
  package func closeWindow() -> HeapFigures? {
    state.withLock { state in
      defer { state.bytesAtStart = nil }
      guard let figures = state.footprint?.figures, let start = state.bytesAtStart else { return nil }
      return HeapFigures(peakBytes: figures.peakBytes - start, allocatedBytes: figures.addedBytes)
    }
  }
}
