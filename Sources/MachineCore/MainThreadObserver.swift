/// An observer of the main thread, which is called for each event in order, on the main thread itself.
///
/// Both machines report the blocks of the main queue from their first to their last instant, the activities inside
/// them, and the time that the thread is parked in a queue's `sync`, a lock or a `wait`. Instants never decrease,
/// except for statements: their instants include work that is not reported yet, and may be later than the next event's.
public protocol MainThreadObserver: AnyObject, Sendable {
  /// Reports that a block of the main queue begins. `cpu` is the CPU time that the main thread has used so far.
  func blockBegan(at instant: Instant, cpu: TimeSpan)
  /// Reports that the block of the main queue has ended. `cpu` is the CPU time that the main thread has used so far.
  func blockEnded(at instant: Instant, cpu: TimeSpan)
  /// Reports that an activity begins.
  ///
  /// - Parameters:
  ///   - activity: The activity that begins.
  ///   - objectCount: The number of objects that the activity concerns, as far as it is known yet.
  ///   - context: The name of the activity's context, or nil for the context of the activity around it.
  ///   - instant: The instant at which the activity begins.
  func activityBegan(_ activity: Activity, of objectCount: Int, in context: String?, at instant: Instant)
  /// Reports that the innermost activity ends.
  func activityEnded(_ activity: Activity, at instant: Instant)
  /// Reports that the innermost activity concerns `count` more objects.
  func objectsNoted(_ count: Int)
  /// Reports that another SQL statement begins, or with nil that the last one has ended.
  func statementBegan(_ statement: RunningStatement?, at instant: Instant)
  /// Reports that the main thread begins to wait.
  ///
  /// - Parameters:
  ///   - label: The label of the queue or lock for which it waits, or the name of the clock.
  ///   - holder: The state of the thread that has the queue or lock, or nil if it is not known.
  ///   - instant: The instant at which the wait begins.
  func waitBegan(for label: String, heldBy holder: TurnHolder?, at instant: Instant)
  /// Reports that the wait of the main thread has ended.
  func waitEnded(at instant: Instant)
}

extension MainThreadObserver {
  /// Ignores the number of objects.
  public func objectsNoted(_ count: Int) {}
  /// Ignores the statement.
  public func statementBegan(_ statement: RunningStatement?, at instant: Instant) {}
}
