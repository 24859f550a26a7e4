/// Hears what the main thread does, in order, on the main thread itself.
///
/// Both machines report to one: blocks of the main queue from their first to their last instant, the activities inside
/// them, and the time the thread is parked in a queue's `sync`, a lock or a `wait`. Instants never decrease.
public protocol MainThreadObserver: AnyObject, Sendable {
  /// A block of the main queue begins; `cpu` is the main thread's CPU time so far.
  func blockBegan(at instant: Instant, cpu: Span)
  func blockEnded(at instant: Instant, cpu: Span)
  func activityBegan(_ activity: Activity, at instant: Instant)
  func activityEnded(_ activity: Activity, at instant: Instant)
  /// The thread parks; `label` names the queue or lock that it waits for.
  func waitBegan(for label: String, at instant: Instant)
  func waitEnded(at instant: Instant)
}
