import Dispatch
import MachineCore

/// The queue whose blocks all run on one thread, the main thread, which serves nothing else.
package final class LiveMainQueue: SerialQueue {
  package let label = "main"

  /// As a trace names it.
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
    var line = Line<Entry>()
    /// The main thread found the line empty and is parked, or about to be.
    var isParked = false
    /// The main thread is to end as soon as the line is empty.
    var isEnding = false
    var hasEnded = false
  }

  private enum Entry: Sendable {
    /// With its number in a trace.
    case block(role: WorkRole, number: Int, body: @Sendable () -> Void)
    /// With what the caller is parked on, and its number in a trace.
    case call(HandedOverCall, DispatchSemaphore, caller: Int)
  }

  package var isCurrent: Bool { isMain(ThreadState.current) }

  /// How many blocks and parked callers are in line, the running one not counted.
  package var waitingCount: Int { state.withLock { $0.line.count } }

  private func isMain(_ thread: ThreadState.Pointer) -> Bool {
    thread.pointee.token == reporter.mainToken
  }
}

// MARK: - Posting

extension LiveMainQueue {
  /// Appends a block; once the machine has stopped, the block is dropped.
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

  /// False if the main thread has ended.
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
  /// Runs blocks until `end` was called and none is left; the whole life of the main thread.
  func serve() {
    let thread = ThreadState.adopt(token: reporter.mainToken)
    while let entry = nextEntry() {
      let observer = reporter.observer
      observer?.blockBegan(at: reporter.clock.now, cpu: LiveClock.threadCPU)
      let caller = run(consume entry, on: thread)
      observer?.blockEnded(at: reporter.clock.now, cpu: LiveClock.threadCPU)
      reporter.record(.bodyEnded(queue: queue))
      // Last, so that whoever waited for the block finds it reported.
      caller?.signal()
    }
  }

  /// Runs a block, and returns what its caller is parked on.
  // Not inlined, and consuming: what the block captured is released before the block counts as ended.
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
