import Dispatch
import MachineCore

/// A private queue, whose `sync` runs on the caller's thread and whose posted blocks run on Dispatch threads.
///
/// Dispatch supplies the threads. The order of turns is decided by this type, because Dispatch reports neither whether
/// a `sync` had to wait nor which thread holds a queue.
package final class LiveSerialQueue: SerialQueue {
  private let turn: FairTurn
  private let timers: LiveTimers
  private let reporter: MainThreadReporter

  init(label: String, reporter: MainThreadReporter, timers: LiveTimers) {
    // The executor is a serial Dispatch queue and not a concurrent one, because its threads are created as needed, even
    // if many queues block at once.
    turn = FairTurn(label: label, reporter: reporter, executor: DispatchQueue(label: label))
    self.timers = timers
    self.reporter = reporter
  }

  package var label: String { turn.label }

  package var isCurrent: Bool { turn.isHeld(by: ThreadState.current) }

  /// The number of blocks and parked threads in line behind the thread that holds the queue.
  package var waitingCount: Int { turn.waitingCount }

  package func async(_ body: @escaping @Sendable () -> Void) {
    let role = ThreadState.current.pointee.activities.role
    turn.append(FairTurn.Block(role: role, number: reporter.posted(to: turn.queue, inRole: role), body: body))
  }

  package func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
    let role = ThreadState.current.pointee.activities.role
    let number = reporter.posted(to: turn.queue, inRole: role, due: deadline)
    let block = FairTurn.Block(role: role, number: number, body: body)
    timers.add(at: deadline) { [turn] in turn.append(block) }
  }

  package func sync<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    if turn.isHeld(by: thread) {
      trapMisuse("`sync` on the queue “\(label)” by a thread that holds it already would wait for itself for ever.")
    }
    _ = turn.take(for: thread)
    let outer = thread.enter(turn.name)
    if let trace = reporter.trace {
      let cause = ScheduleEvent.BodyCause.call(from: trace.number(of: thread))
      reporter.record(.bodyBegan(queue: turn.queue, role: thread.pointee.activities.role, cause: cause))
    }
    defer {
      reporter.record(.bodyEnded(queue: turn.queue))
      thread.leave(to: outer)
      turn.giveBack(by: thread)
    }
    return try body()
  }
}
