/// A queue that runs one block at a time, first in, first out.
///
/// A block inherits the role of the thread that posted it (`WorkRole`), just as Dispatch blocks inherit the quality of
/// service.
public protocol SerialQueue: AnyObject, Sendable {
  /// The purpose of the queue, which traces and the messages of traps show.
  var label: String { get }

  /// Indicates whether the calling thread holds this queue, at any depth. In a chain of `sync` calls from A to B, both
  /// queues are current.
  var isCurrent: Bool { get }

  /// Appends a block to the queue and returns at once.
  func async(_ body: @escaping @Sendable () -> Void)

  /// Appends a block to the queue when the clock reads `deadline`. Returns at once. Blocks with equal deadlines are
  /// appended in the order of the calls.
  func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void)

  /// Blocks until the queue is free, runs `body` and returns its result or throws its error.
  ///
  /// The body runs on the caller's thread, as in Dispatch, or on the main thread if this is the main queue. A `sync` on
  /// a queue that the caller holds would deadlock, so it traps with a message.
  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
}
