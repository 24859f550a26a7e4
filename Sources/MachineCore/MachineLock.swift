/// A lock that knows how long it was waited for. Not re-entrant: taking it twice on one thread traps with a sentence.
public protocol MachineLock: AnyObject, Sendable {
  /// What the lock guards; shown in traces.
  var label: String { get }

  /// The time that all threads together have spent waiting for it.
  var totalWait: Span { get }

  /// Blocks until the lock is free, holds it while `body` runs, and gives it to the longest waiter.
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
}
