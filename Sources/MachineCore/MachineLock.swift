/// A lock that measures how long threads wait for it.
///
/// It is not re-entrant: a thread that takes it twice traps with a message.
public protocol MachineLock: AnyObject, Sendable {
  /// The purpose of the lock, which traces show.
  var label: String { get }

  /// The time that all threads together have waited for the lock.
  var totalWait: TimeSpan { get }

  /// Blocks until the lock is free, runs `body` with the lock held, and then gives the lock to the thread that has
  /// waited longest. Returns the result of `body` or throws its error.
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
}
