/// What a thread that had a queue or lock was doing when another began to wait for it.
public struct TurnHolder: Hashable, Sendable {
  /// The label of the innermost queue whose block it ran; nil outside queues.
  public var queue: String?
  /// Its innermost activity.
  public var activity: Activity?
  /// The label of the queue or lock that it waited for itself.
  public var awaited: String?

  public init(queue: String? = nil, activity: Activity? = nil, awaited: String? = nil) {
    self.queue = queue
    self.activity = activity
    self.awaited = awaited
  }
}
