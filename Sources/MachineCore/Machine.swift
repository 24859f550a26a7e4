/// A provider of queues, locks and time, which separates the measured code from the system on which it runs.
///
/// It is the first parameter of every initialiser that needs it. No member reveals whether a machine is live or
/// simulated, and the measured code never casts to a concrete machine: the engine reports the work that it did
/// (`account(_:)`), and not what the work costs.
public protocol Machine: AnyObject, Sendable {
  /// The current instant of the machine's monotonic clock.
  var now: Instant { get }

  /// The queue of the user interface. Its blocks always run on one dedicated thread, the main thread.
  var mainQueue: any SerialQueue { get }

  /// Makes a queue that runs one block at a time, in the order in which the blocks were posted.
  func makeSerialQueue(label: String) -> any SerialQueue

  /// Makes a lock that waiting threads get in the order in which they began to wait.
  func makeLock(label: String) -> any MachineLock

  /// Reports work that the calling thread did, and counts it for the thread's current role.
  ///
  /// Report work before you release the queue or lock under which it was done; otherwise virtual time shows no
  /// contention. Never blocks. Thread-safe.
  func account(_ work: Work)

  /// Blocks the caller until the clock reads `deadline`, or returns at once if the deadline has passed.
  func wait(until deadline: Instant)

  /// Reports that the calling thread begins an activity. Activities nest, and every `begin` needs an `end`.
  ///
  /// Use `during(_:of:in:_:)`, which calls both.
  ///
  /// - Parameters:
  ///   - objectCount: The number of objects that the activity concerns, as far as it is known yet.
  ///   - context: The name of the activity's context, or nil for the context of the activity around it.
  func begin(_ activity: Activity, of objectCount: Int, in context: String?)

  /// Reports that the calling thread ends the activity that it began last.
  func end(_ activity: Activity)

  /// Adds to the number of objects that the calling thread's innermost activity concerns. Takes no time on the machine.
  func note(objectCount: Int)

  /// Adds a note to the trace, if there is one. Takes no time on the machine.
  func note(_ note: TraceNote)

  /// Reports that the calling thread begins another SQL statement, or that its request has ended.
  ///
  /// Takes no time on the machine, and almost no CPU time on threads without an observer.
  ///
  /// - Parameters:
  ///   - statement: The zero-terminated text of the statement without values, which is read during the call only, or
  ///     nil if the request has ended.
  ///   - unreported: Returns the work that the thread has done and will report later. It belongs to the previous
  ///     statement.
  func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work])
}

extension Machine {
  /// Reports that the calling thread begins an activity without a number of objects or a context.
  public func begin(_ activity: Activity) {
    begin(activity, of: 0, in: nil)
  }

  /// Runs `body` as one activity of the calling thread, and returns its result or throws its error.
  ///
  /// - Parameters:
  ///   - objectCount: The number of objects that the activity concerns, as far as it is known yet.
  ///   - context: The name of the activity's context, or nil for the context of the activity around it.
  @inlinable
  public func during<Result, Failure: Error>(
    _ activity: Activity, of objectCount: Int = 0, in context: String? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin(activity, of: objectCount, in: context)
    defer { end(activity) }
    return try body()
  }
}
