/// What supplies queues, locks and time: the one seam between everything measured and what it runs on.
///
/// Injected first in every constructor. No member tells a live machine from a simulated one, and nothing behind the
/// seam casts to a concrete machine: the engine says what it did (`account`), never what it costs.
public protocol Machine: AnyObject, Sendable {
  /// The monotonic clock.
  var now: Instant { get }

  /// The queue that the user interface lives on; its blocks always run on one thread of its own.
  var mainQueue: any SerialQueue { get }

  /// Makes a queue that runs one block at a time, in the order in which they were posted.
  func makeSerialQueue(label: String) -> any SerialQueue

  /// Makes a lock that is handed to waiters fairly, first come first served.
  func makeLock(label: String) -> any MachineLock

  /// Reports work that the calling thread did, for the role it does it in.
  ///
  /// Report before the queue or lock under which the work was done is given back, or contention vanishes from virtual
  /// time. Never blocks. Thread-safe.
  func account(_ work: Work)

  /// Blocks the caller until the clock reads `deadline`; returns at once if it has passed.
  func wait(until deadline: Instant)

  /// Says that the calling thread begins an activity; activities nest, and every `begin` has its `end`.
  ///
  /// Use `during(_:_:)`, which pairs them.
  func begin(_ activity: Activity)

  /// Says that the calling thread ends the activity that it began last.
  func end(_ activity: Activity)
}

extension Machine {
  /// Runs `body` as one activity of the calling thread.
  @inlinable
  public func during<Result, Failure: Error>(
    _ activity: Activity, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin(activity)
    defer { end(activity) }
    return try body()
  }
}
