/// An entry of a trace in addition to queues, activities and waits.
public enum TraceNote: Hashable, Sendable {
  /// The save with this number has done its work. It is noted inside the save's activity, before the save is announced.
  case saved(number: Int)
  /// The save with this number is merged into a context. It is noted inside the merge's activity.
  case merging(saveNumber: Int)
  /// The number of objects with unsaved changes in the context with this name changed by `difference`.
  case pendingChanges(context: String, difference: Int)
  /// The size of the heap.
  case heap(bytes: Int)
}
