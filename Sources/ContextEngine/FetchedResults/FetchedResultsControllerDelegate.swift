/// Hears how a controller's list changes, on the context's queue.
public protocol FetchedResultsControllerDelegate: AnyObject {
  /// Called before the changes of one event are reported; the controller already shows the new list.
  func controllerWillChangeContent(_ controller: FetchedResultsController)
  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange)
  func controllerDidChangeContent(_ controller: FetchedResultsController)
}

/// How one object of a list changed. Old positions count in the list before the event, new ones in the list after it.
public enum FetchedResultsChange: Hashable, Sendable {
  case insert(at: Int)
  case delete(from: Int)
  /// Its sort keys moved it; implies that it changed.
  case move(from: Int, to: Int)
  /// It changed and stayed in its place.
  case update(at: Int)
}
