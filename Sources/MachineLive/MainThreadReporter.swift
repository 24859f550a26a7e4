import MachineCore

/// Tells the observer what the main thread does, and nobody what other threads do.
struct MainThreadReporter: Sendable {
  let clock: LiveClock

  /// The token of the main thread.
  let mainToken: UInt

  let observer: (any MainThreadObserver)?

  /// Keeps what every thread does; nil = nobody wants to know.
  let trace: LiveTrace?

  /// Whoever hears about this thread; nil for every thread but the main thread.
  @inline(__always)
  func observer(of thread: ThreadState.Pointer) -> (any MainThreadObserver)? {
    observer != nil && thread.pointee.token == mainToken ? observer : nil
  }

  /// Keeps a step of the calling thread in the trace, where there is one.
  @inline(__always)
  func record(_ event: @autoclosure () -> ScheduleEvent) {
    guard let trace else { return }
    trace.record(event(), at: clock.now)
  }

  /// Numbers a block that the calling thread posts; 0 where nobody wants to know.
  func posted(to queue: ScheduleQueue, inRole role: WorkRole, due: Instant? = nil) -> Int {
    guard let trace else { return 0 }
    let number = trace.makePostNumber()
    trace.record(.posted(queue: queue, number: number, role: role, due: due), at: clock.now)
    return number
  }

  /// Parks the calling thread in `park`, and returns how long that took.
  ///
  /// - Parameters:
  ///   - name: of what it waits for.
  ///   - token: of the thread that has that.
  ///   - holder: what that is doing, where somebody hears of it.
  func parked(
    _ thread: ThreadState.Pointer, for name: ThreadDoing.Name, of token: UInt? = nil, heldBy holder: TurnHolder? = nil,
    _ park: () -> Void
  ) -> Span {
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
