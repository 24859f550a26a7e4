import MachineCore

/// A lock that passes to the strand that has waited longest, in virtual time.
package final class SimulatedLock: MachineLock {
  package let turn: SimulatedTurn

  init(label: String, scheduler: Scheduler) {
    turn = SimulatedTurn(label: label, scheduler: scheduler)
  }

  package var label: String { turn.label }

  package var totalWait: TimeSpan { TimeSpan(nanoseconds: turn.totalWait) }

  /// The number of strands that are parked for the lock.
  package var waitingCount: Int { turn.line.count }

  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let scheduler = turn.scheduler
    let strand = scheduler.caller
    if turn.holder === strand {
      trapMisuse("The lock “\(label)” was taken twice by one thread, which would wait for itself for ever.")
    }
    scheduler.take(turn, for: strand)
    defer { scheduler.giveBack(turn, for: strand) }
    return try body()
  }
}
