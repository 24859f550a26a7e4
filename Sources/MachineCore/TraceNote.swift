/// An entry of a trace in addition to queues, activities and waits.
public enum TraceNote: Hashable, Sendable {
  /// A flow with this number begins in the thread's innermost activity. Flows lead from one activity to others.
  case flowBegan(number: Int)
  /// A flow with this number and name ends in the thread's innermost activity. It may end more than once.
  case flowEnded(String, number: Int)
  /// A series of the counter with this name changed by a difference. Every series begins at 0.
  case counterChanged(String, series: String, by: Int)
  /// A series of the counter with this name has a new value.
  case counterSet(String, series: String, to: Int)
}
