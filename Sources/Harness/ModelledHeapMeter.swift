import ContextEngine
import MachineCore

/// Takes the engine's own count for the heap: what a trial's contexts and row cache hold, by rule.
///
/// For a machine whose time is not real, where an allocator's figures would be those of the host, of the machine itself and
/// of the build. The engine keeps the peak, so nothing has to be sampled. Not comparable with an allocator's figures: what
/// the program holds beside registered objects, their rows and changes is left out.
package final class ModelledHeapMeter: HeapMeter {
  private struct State: Sendable {
    var footprint: MemoryFootprint?
    /// What the stack held when the window opened; nil while none is open.
    var bytesAtStart: Int?
  }

  private let state = Guarded(State())

  package init() {}

  /// Measures this stack from the next window on.
  package func watch(_ footprint: MemoryFootprint) {
    state.withLock { $0 = State(footprint: footprint) }
  }

  package func openWindow() {
    state.withLock { $0.bytesAtStart = $0.footprint?.restart() }
  }

  /// Has nothing to do: the engine keeps the peak.
  package func sample() {}

  /// Ends the window; nil if none is open, or no stack was opened before it.
  package func closeWindow() -> HeapFigures? {
    state.withLock { state in
      defer { state.bytesAtStart = nil }
      guard let figures = state.footprint?.figures, let start = state.bytesAtStart else { return nil }
      return HeapFigures(peakBytes: figures.peakBytes - start, allocatedBytes: figures.addedBytes)
    }
  }
}
