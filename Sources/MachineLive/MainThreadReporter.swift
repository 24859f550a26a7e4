import MachineCore

/// Reports the steps of the main thread to the observer, and records the steps of every thread in the trace.
struct MainThreadReporter: Sendable {
  let clock: LiveClock

  /// The token of the main thread.
  let mainToken: UInt

  let observer: (any MainThreadObserver)?

  /// The trace that records the steps of every thread; nil if they are not recorded.
  let trace: LiveTrace?

  /// Returns the observer if the thread is the main thread; nil for any other thread.
  @inline(__always)
  func observer(of thread: @autoclosure () -> ThreadState.Pointer) -> (any MainThreadObserver)? {
    observer != nil && thread().pointee.token == mainToken ? observer : nil
  }

  /// Records a step of the calling thread in the trace, if there is one.
  @inline(__always)
  func record(_ event: @autoclosure () -> ScheduleEvent) {
    guard let trace else { return }
    trace.record(event(), at: clock.now)
  }

  /// Records in the trace that the calling thread posts a block, and returns the number of the post; 0 without a trace.
  func posted(to queue: ScheduleQueue, inRole role: WorkRole, due: Instant? = nil) -> Int {
    guard let trace else { return 0 }
    let number = trace.makePostNumber()
    trace.record(.posted(queue: queue, number: number, role: role, due: due), at: clock.now)
    return number
  }

  /// Parks the calling thread in `park`. Reports the wait to the observer if the thread is observed; otherwise
  /// publishes it for other threads, unless it is a wait for the clock. A trace records every wait.
  ///
  /// - Parameters:
  ///   - thread: The state of the calling thread.
  ///   - name: The name of the queue, lock or clock that the thread waits for.
  ///   - token: The token of the thread that holds it, if known.
  ///   - holder: A description of what that thread is doing, for the observer; nil if there is no observer.
  ///   - park: Blocks the calling thread until the wait is over.
  /// - Returns: The time for which the thread was parked.
  func parked(
    _ thread: ThreadState.Pointer, for name: ThreadDoing.Name, of token: UInt? = nil, heldBy holder: TurnHolder? = nil,
    park: () -> Void
  ) -> TimeSpan {
    record(.waitBegan(for: name.text, holder: token.flatMap { trace?.number(ofToken: $0) }))
    defer { record(.waitEnded) }
    let observer = observer(of: thread)
    let began = clock.now
    if let observer {
      observer.waitBegan(for: name.text, heldBy: holder, at: began)
    } else if name != .clock {
      thread.pointee.awaited = name
      thread.publish()
    }
    park()
    let ended = clock.now
    if let observer {
      observer.waitEnded(at: ended)
    } else if name != .clock {
      thread.pointee.awaited = .none
      thread.publish()
    }
    return ended - began
  }
}
