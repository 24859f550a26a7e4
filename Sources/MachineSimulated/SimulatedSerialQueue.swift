import MachineCore

/// A private queue, whose `sync` runs on the caller's strand and whose posted blocks run on idle strands.
package final class SimulatedSerialQueue: SerialQueue {
  private let turn: SimulatedTurn

  init(label: String, scheduler: Scheduler) {
    turn = SimulatedTurn(label: label, scheduler: scheduler)
  }

  package var label: String { turn.label }

  package var isCurrent: Bool { turn.holder === turn.scheduler.caller }

  /// The number of blocks and parked strands in line behind the strand that holds the queue.
  package var waitingCount: Int { turn.line.count }

  package func async(_ body: @escaping @Sendable () -> Void) {
    turn.scheduler.post(body, on: turn)
  }

  package func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
    turn.scheduler.post(body, on: turn, at: deadline.nanoseconds)
  }

  package func sync<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let scheduler = turn.scheduler
    let strand = scheduler.caller
    if turn.holder === strand {
      trapMisuse("`sync` on the queue “\(label)” by a thread that holds it already would wait for itself for ever.")
    }
    scheduler.take(turn, for: strand)
    scheduler.beginBody(of: turn, inRole: strand.activities.role, because: .call(from: strand.number), strand)
    defer {
      scheduler.settle(strand)
      scheduler.record(.bodyEnded(queue: turn.name), strand: strand)
      strand.queues.removeLast()
      scheduler.giveBack(turn, for: strand)
    }
    return try body()
  }
}
