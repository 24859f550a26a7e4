import MachineCore

/// The queue whose blocks all run on the main strand.
package final class SimulatedMainQueue: SerialQueue {
  let turn: SimulatedTurn

  init(scheduler: Scheduler) {
    turn = SimulatedTurn(label: "main", scheduler: scheduler, holder: scheduler.main)
  }

  package var label: String { turn.label }

  package var isCurrent: Bool { turn.scheduler.caller.isMain }

  /// The number of blocks and parked callers in line, without the running one.
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
    let strand = turn.scheduler.caller
    if strand.isMain {
      trapMisuse("`sync` on the queue “\(label)” by the main thread, which holds it, would wait for itself for ever.")
    }
    return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Result in
      let call = TypedHandedOverCall(role: strand.activities.role, body: body)
      turn.scheduler.call(call, onMain: turn, from: strand)
      return try call.takeOutcome()
    }
  }
}
