/// What a trace shows beside queues, activities and waits.
public enum TraceNote: Hashable, Sendable {
  /// The save with this number has done its work; said inside its activity, before anybody hears of it.
  case saved(number: Int)
  /// The save with this number is merged into a context; said inside the merge's activity.
  case merging(saveNumber: Int)
  /// A context of this name has so many changed objects more that are not saved, or fewer.
  case pendingChanges(context: String, difference: Int)
  /// The heap, as far as the machine knows it.
  case heap(bytes: Int)
}
