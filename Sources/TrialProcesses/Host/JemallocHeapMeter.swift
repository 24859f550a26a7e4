import Harness

#if !UNDER_SANITIZER
  import CJemalloc
#endif

/// The heap of this build.
package enum Heap {
  /// Makes a meter. `onSample` receives the number of allocated bytes at each sample, on the meter's thread. It is
  /// never called in a build without jemalloc.
  static func makeMeter(onSample: (@Sendable (_ bytes: Int) -> Void)? = nil) -> any HeapMeter {
    #if UNDER_SANITIZER
      return AbsentHeapMeter()
    #else
      return JemallocHeapMeter(onSample: onSample)
    #endif
  }

  /// The number of bytes that are in use now, without the caches of threads, or nil in a build without jemalloc.
  static var bytesInUse: Int? {
    #if UNDER_SANITIZER
      return nil
    #else
      return statistics.readInUse()
    #endif
  }

  #if !UNDER_SANITIZER
    private static let statistics = HeapStatistics()
  #endif

  /// Keeps memory that is freed from now on for the next allocations, without giving it back to the system. A process
  /// that runs many trials would get it again and again.
  package static func keepFreedMemory() {
    #if !UNDER_SANITIZER
      var forever = -1
      var arenaCount: UInt32 = 0
      var size = MemoryLayout<UInt32>.size
      _ = mallctl("arenas.narenas", &arenaCount, &size, nil, 0)
      // The first name is for arenas that are made later. No name sets the value of all arenas: with
      // `MALLCTL_ARENAS_ALL`, jemalloc reads beyond its table of arenas. An arena that is not in use yet is refused.
      for name in ["arenas.dirty_decay_ms"] + (0..<arenaCount).map({ "arena.\($0).dirty_decay_ms" }) {
        _ = mallctl(name, nil, nil, &forever, MemoryLayout<Int>.size)
      }
    #endif
  }
}

#if UNDER_SANITIZER
  /// A meter without figures, for builds with a sanitizer, which brings its own allocator.
  struct AbsentHeapMeter: HeapMeter {
    func openWindow() {}
    func sample() {}
    func closeWindow() -> HeapFigures? { nil }
  }
#else
  import Dispatch
  import Foundation
  import MachineCore

  /// A meter that reads the size of the process's heap from jemalloc, to which the program is linked.
  ///
  /// A separate thread samples every 5 ms while a window is open, and at each call of `sample()`, because jemalloc does
  /// not record the peak.
  final class JemallocHeapMeter: HeapMeter {
    private static let interval = DispatchTimeInterval.milliseconds(5)

    private let statistics = HeapStatistics()
    private let window = Guarded<Window?>(nil)
    private let wake = DispatchSemaphore(value: 0)
    private let onSample: (@Sendable (_ bytes: Int) -> Void)?

    init(onSample: (@Sendable (_ bytes: Int) -> Void)? = nil) {
      self.onSample = onSample
    }

    /// The sizes at the start of a window, and the maximum since then.
    private struct Window {
      let liveAtStart: Int
      let allocatedAtStart: Int
      var liveMaximum: Int
    }

    /// Opens a window and starts the thread that samples. Any thread may call it.
    func openWindow() {
      let figures = statistics.read()
      window.withLock {
        $0 = Window(
          liveAtStart: figures.live, allocatedAtStart: figures.allocated, liveMaximum: figures.live)
      }
      Thread.detachNewThread { [self] in
        while takeSample() {
          _ = wake.wait(timeout: .now() + JemallocHeapMeter.interval)
        }
      }
    }

    /// Makes the thread take a sample now. Never blocks.
    func sample() {
      wake.signal()
    }

    /// Takes the last sample and returns the figures, or nil if no window is open. Wakes the thread that samples, which
    /// then ends, and does not wait for it.
    func closeWindow() -> HeapFigures? {
      let figures = statistics.read()
      let closed = window.withLock { window in
        defer { window = nil }
        return window
      }
      wake.signal()
      guard let closed else { return nil }
      return HeapFigures(
        peakBytes: max(closed.liveMaximum, figures.live) - closed.liveAtStart,
        allocatedBytes: figures.allocated - closed.allocatedAtStart)
    }

    /// The highest sample since the window opened, minus the size at its start, or nil if no window is open.
    var peakSoFar: Int? {
      window.withLock { window in window.map { $0.liveMaximum - $0.liveAtStart } }
    }

    /// Takes a sample, and returns true if a window is open.
    private func takeSample() -> Bool {
      let live = statistics.readLive()
      onSample?(live)
      return window.withLock { window in
        guard var open = window else { return false }
        open.liveMaximum = max(open.liveMaximum, live)
        window = open
        return true
      }
    }
  }
#endif
