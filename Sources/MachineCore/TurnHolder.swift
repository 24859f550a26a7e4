/// The state of a thread that had a queue or lock when another thread began to wait for it.
public struct TurnHolder: Hashable, Sendable {
  /// The label of the innermost queue whose block the thread ran, or nil if it ran no block.
  public var queue: String?
  /// The innermost activity of the thread, or nil if it had no open activity.
  public var activity: Activity?
  /// The label of the queue or lock for which the thread itself waited, or nil if it did not wait.
  public var awaited: String?

  /// Creates the state of a thread. A value that is left out is nil.
  public init(queue: String? = nil, activity: Activity? = nil, awaited: String? = nil) {
    self.queue = queue
    self.activity = activity
    self.awaited = awaited
  }
}
