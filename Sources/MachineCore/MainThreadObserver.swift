/// Hears what the main thread does, in order, on the main thread itself.
///
/// Both machines report to one: blocks of the main queue from their first to their last instant, the activities inside
/// them, and the time the thread is parked in a queue's `sync`, a lock or a `wait`. Instants never decrease, but for those of
/// statements: they count work that is not reported yet, and may lie after the next event's.
public protocol MainThreadObserver: AnyObject, Sendable {
  /// A block of the main queue begins; `cpu` is the main thread's CPU time so far.
  func blockBegan(at instant: Instant, cpu: Span)
  func blockEnded(at instant: Instant, cpu: Span)
  /// An activity begins, about so many objects, in the context of that name; nil = that of the activity around it.
  func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant)
  func activityEnded(_ activity: Activity, at instant: Instant)
  /// The innermost activity is about so many objects more.
  func objectsNoted(_ count: Int)
  /// Another SQL statement runs from here on; nil = none any more. The text is there during the call only.
  func statementBegan(_ statement: UnsafePointer<CChar>?, at instant: Instant)
  /// The thread parks; `label` names the queue or lock that it waits for, `holder` says what whoever has that is doing, where
  /// that is known.
  func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant)
  func waitEnded(at instant: Instant)
}

extension MainThreadObserver {
  public func objectsNoted(_ count: Int) {}
  public func statementBegan(_ statement: UnsafePointer<CChar>?, at instant: Instant) {}
}
