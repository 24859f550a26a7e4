import Dispatch
import MachineCore

/// A private queue: `sync` runs on the caller's thread, posted blocks on Dispatch threads.
///
/// Dispatch supplies the threads; whose turn it is this type decides itself, since Dispatch tells nobody whether a `sync`
/// had to wait, nor which thread holds a queue.
package final class LiveSerialQueue: SerialQueue {
  private let turn: FairTurn
  private let timers: LiveTimers
  private let reporter: MainThreadReporter

  init(label: String, reporter: MainThreadReporter, timers: LiveTimers) {
    // A serial queue and not a concurrent one: its threads are made as needed, however many queues block at once.
    turn = FairTurn(label: label, reporter: reporter, executor: DispatchQueue(label: label))
    self.timers = timers
    self.reporter = reporter
  }

  package var label: String { turn.label }

  package var isCurrent: Bool { turn.isHeld(by: ThreadState.current) }

  /// How many blocks and parked threads are in line behind the one that holds it.
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
