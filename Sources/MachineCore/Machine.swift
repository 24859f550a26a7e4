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
  /// Use `during(_:of:in:_:)`, which pairs them.
  ///
  /// - Parameters:
  ///   - objectCount: how many objects it is about, as far as that is known yet.
  ///   - context: the name of the context that it is done in; nil = that of the activity around it.
  func begin(_ activity: Activity, of objectCount: Int, in context: String?)

  /// Says that the calling thread ends the activity that it began last.
  func end(_ activity: Activity)

  /// Says how many objects more the activity that the calling thread began last is about. Takes no time of the machine.
  func note(objectCount: Int)

  /// Says what a trace shows, where there is one. Takes no time of the machine.
  func note(_ note: TraceNote)

  /// Says that the calling thread runs another SQL statement from here on, or none any more. Takes no time of the machine,
  /// and on threads whose reasons nobody asks for next to none of the processor's.
  ///
  /// - Parameters:
  ///   - statement: its text without values, zero-terminated; read during the call only. nil = the request has ended.
  ///   - unreported: work that the thread has done and will report later: part of what the statement before it took.
  func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work])
}

extension Machine {
  /// Begins an activity of which nothing more is known.
  public func begin(_ activity: Activity) {
    begin(activity, of: 0, in: nil)
  }

  /// Runs `body` as one activity of the calling thread, about so many objects, in the context of that name.
  @inlinable
  public func during<Result, Failure: Error>(
    _ activity: Activity, of objectCount: Int = 0, in context: String? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin(activity, of: objectCount, in: context)
    defer { end(activity) }
    return try body()
  }
}
