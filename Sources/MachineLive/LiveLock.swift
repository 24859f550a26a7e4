import MachineCore
import Synchronization

/// A lock that passes to the thread that has waited longest.
package final class LiveLock: MachineLock {
  private let turn: FairTurn
  private let waited = Atomic<Int64>(0)

  init(label: String, reporter: MainThreadReporter) {
    turn = FairTurn(label: label, reporter: reporter)
  }

  package var label: String { turn.label }

  package var totalWait: TimeSpan { TimeSpan(nanoseconds: waited.load(ordering: .relaxed)) }

  /// The number of threads that are parked for the lock.
  package var waitingCount: Int { turn.waitingCount }

  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    if turn.isHeld(by: thread) {
      trapMisuse("The lock “\(label)” was taken twice by one thread, which would wait for itself for ever.")
    }
    let span = turn.take(for: thread)
    if span > .zero {
      waited.wrappingAdd(span.nanoseconds, ordering: .relaxed)
    }
    defer { turn.giveBack(by: thread) }
    return try body()
  }
}
