/// A queue that runs one block at a time, first in, first out.
///
/// A block inherits the role of the thread that posted it (`WorkRole`), as Dispatch blocks inherit quality of service.
public protocol SerialQueue: AnyObject, Sendable {
  /// What the queue is for; shown in traces and in the sentences of traps.
  var label: String { get }

  /// Whether the calling thread holds this queue, at any depth: in a chain of `sync` A → B → A' both are current.
  var isCurrent: Bool { get }

  /// Appends a block and returns at once.
  func async(_ body: @escaping @Sendable () -> Void)

  /// Appends a block once the clock reads `deadline`, and returns at once; at equal deadlines in order of the calls.
  func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void)

  /// Blocks until the queue is free, runs `body` and returns its result or throws its error.
  ///
  /// The body runs on the caller's thread, as Dispatch does it; on the main queue, on the main thread. A `sync` onto a
  /// queue that the caller holds would wait for itself for ever: it traps with a sentence instead.
  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
}
