import MachineCore

/// Tells the observer what the main thread does, and nobody what other threads do.
struct MainThreadReporter: Sendable {
  let clock: LiveClock

  /// The token of the main thread.
  let mainToken: UInt

  let observer: (any MainThreadObserver)?

  /// Whoever hears about this thread; nil for every thread but the main thread.
  func observer(of thread: ThreadState.Pointer) -> (any MainThreadObserver)? {
    thread.pointee.token == mainToken ? observer : nil
  }

  /// Parks the calling thread in `park`, and returns how long that took.
  func parked(_ thread: ThreadState.Pointer, for label: String, _ park: () -> Void) -> Span {
    let observer = observer(of: thread)
    let began = clock.now
    observer?.waitBegan(for: label, at: began)
    park()
    let ended = clock.now
    observer?.waitEnded(at: ended)
    return ended - began
  }
}
