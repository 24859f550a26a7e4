import DequeModule
import Dispatch
import MachineCore

/// The queue of the main thread: all its blocks run on one thread, which serves only this queue.
package final class LiveMainQueue: SerialQueue {
  package let label = "main"

  /// The queue as it appears in a trace: its label is `main`, and its number is 0 if there is no trace.
  private let queue: ScheduleQueue
  private let reporter: MainThreadReporter
  private let timers: LiveTimers
  private let state = Guarded(State())
  private let parking = DispatchSemaphore(value: 0)

  init(reporter: MainThreadReporter, timers: LiveTimers) {
    self.reporter = reporter
    queue = reporter.trace?.makeQueue(label: "main") ?? ScheduleQueue(label: "main", number: 0)
    self.timers = timers
  }

  private struct State: Sendable {
    var line = Deque<Entry>()
    /// True if the main thread found the line empty and is parked or about to park.
    var isParked = false
    /// True if the main thread must end as soon as the line is empty.
    var isEnding = false
    var hasEnded = false
  }

  private enum Entry: Sendable {
    /// A posted block with the role that it inherited and its number in a trace.
    case block(role: WorkRole, number: Int, body: @Sendable () -> Void)
    /// A body of `sync`, with the semaphore on which the caller is parked and the caller's number in a trace.
    case call(HandedOverCall, DispatchSemaphore, caller: Int)
  }

  package var isCurrent: Bool { isMain(ThreadState.current) }

  /// The number of blocks and parked callers in line, without the running one.
  package var waitingCount: Int { state.withLock { $0.line.count } }

  private func isMain(_ thread: ThreadState.Pointer) -> Bool {
    thread.pointee.token == reporter.mainToken
  }
}

// MARK: - Posting

extension LiveMainQueue {
  /// Adds a block to the line, or drops it if the machine has stopped.
  package func async(_ body: @escaping @Sendable () -> Void) {
    let role = ThreadState.current.pointee.activities.role
    _ = append(.block(role: role, number: reporter.posted(to: queue, inRole: role), body: body))
  }

  package func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
    let role = ThreadState.current.pointee.activities.role
    let number = reporter.posted(to: queue, inRole: role, due: deadline)
    timers.add(at: deadline) { _ = self.append(.block(role: role, number: number, body: body)) }
  }

  package func sync<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    if isMain(thread) {
      trapMisuse("`sync` on the queue “\(label)” by the main thread, which holds it, would wait for itself for ever.")
    }
    return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Result in
      let call = TypedHandedOverCall(role: thread.pointee.activities.role, body: body)
      reporter.record(.waitBegan(for: label, holder: 0))
      defer { reporter.record(.waitEnded) }
      guard append(.call(call, thread.pointee.parking, caller: reporter.trace?.number(of: thread) ?? 0)) else {
        trapMisuse("`sync` on the queue “\(label)” of a machine that has stopped would wait for ever.")
      }
      thread.pointee.parking.wait()
      return try call.takeOutcome()
    }
  }

  /// Adds an entry to the line and wakes the main thread if it is parked; returns false if the main thread has ended.
  private func append(_ entry: Entry) -> Bool {
    let (isAccepted, wakes) = state.withLock { state in
      guard !state.hasEnded else { return (false, false) }
      state.line.append(entry)
      let wakes = state.isParked
      state.isParked = false
      return (true, wakes)
    }
    if wakes {
      parking.signal()
    }
    return isAccepted
  }
}

// MARK: - The main thread

extension LiveMainQueue {
  /// Runs blocks until `end` was called and the line is empty; the main thread runs this method only. The observer gets
  /// the end of a block first, then the trace, and then the block's caller is woken.
  func serve() {
    let thread = ThreadState.adopt(token: reporter.mainToken)
    while let entry = nextEntry() {
      let observer = reporter.observer
      observer?.blockBegan(at: reporter.clock.now, cpu: LiveClock.threadCPU)
      let caller = run(consume entry, on: thread)
      observer?.blockEnded(at: reporter.clock.now, cpu: LiveClock.threadCPU)
      reporter.record(.bodyEnded(queue: queue))
      // The semaphore is signalled last, so that the caller finds the block reported.
      caller?.signal()
    }
  }

  /// Runs a block and returns the semaphore on which its caller is parked, or nil for a posted block.
  // The method is not inlined and consumes the entry, so that the block's captures are released before the block counts
  // as ended.
  @inline(never)
  private func run(_ entry: consuming Entry, on thread: ThreadState.Pointer) -> DispatchSemaphore? {
    switch consume entry {
    case .block(let role, let number, let body):
      reporter.record(.bodyBegan(queue: queue, role: role, cause: .post(number)))
      thread.run(inRole: role, of: label, body)
      return nil
    case .call(let call, let parking, let caller):
      reporter.record(.bodyBegan(queue: queue, role: call.role, cause: .call(from: caller)))
      thread.run(inRole: call.role, of: label, call.perform)
      return parking
    }
  }

  /// Lets the main thread end once everything posted has run.
  func end() {
    let wakes = state.withLock { state in
      state.isEnding = true
      let wakes = state.isParked
      state.isParked = false
      return wakes
    }
    if wakes {
      parking.signal()
    }
  }

  private enum Step {
    case run(Entry)
    case park
    case end
  }

  private func nextEntry() -> Entry? {
    while true {
      let step: Step = state.withLock { state in
        if let entry = state.line.popFirst() { return .run(entry) }
        if state.isEnding {
          state.hasEnded = true
          return .end
        }
        state.isParked = true
        return .park
      }
      switch step {
      case .run(let entry): return entry
      case .end: return nil
      case .park: parking.wait()
      }
    }
  }
}
