import Harness

/// The heap meter of this build.
enum Heap {
  /// Makes a meter.
  ///
  /// - Parameter onSample: Gets the number of allocated bytes at each sample, on the meter's own thread.
  static func makeMeter(onSample: (@Sendable (_ bytes: Int) -> Void)? = nil) -> any HeapMeter {
    #if WITHOUT_JEMALLOC
      return AbsentHeapMeter()
    #else
      return JemallocHeapMeter(onSample: onSample)
    #endif
  }
}

#if WITHOUT_JEMALLOC
  /// A meter without figures, for sanitizers, which have an allocator of their own.
  struct AbsentHeapMeter: HeapMeter {
    func openWindow() {}
    func sample() {}
    func closeWindow() -> HeapFigures? { nil }
  }
#else
  import CJemalloc
  import Dispatch
  import Foundation
  import MachineCore

  /// Reads the process's heap from jemalloc, which the program is linked with, on a thread of its own.
  ///
  /// The thread samples every 5 ms while a window is open, and whenever it is asked to. jemalloc has no peak of its own.
  final class JemallocHeapMeter: HeapMeter {
    private static let interval = DispatchTimeInterval.milliseconds(5)

    private let statistics = HeapStatistics()
    private let window = Guarded<Window?>(nil)
    private let wake = DispatchSemaphore(value: 0)
    private let onSample: (@Sendable (_ bytes: Int) -> Void)?

    init(onSample: (@Sendable (_ bytes: Int) -> Void)? = nil) {
      self.onSample = onSample
    }

    /// What is known since the window opened.
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

    /// Has the thread sample now. Never blocks.
    func sample() {
      wake.signal()
    }

    /// Takes the last sample, ends the thread, and returns the figures; nil if no window is open.
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

    /// The highest sample since the window opened, above what it opened with; nil if none is open.
    var peakSoFar: Int? {
      window.withLock { window in window.map { $0.liveMaximum - $0.liveAtStart } }
    }

    /// Takes a sample, and indicates whether a window is open.
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
