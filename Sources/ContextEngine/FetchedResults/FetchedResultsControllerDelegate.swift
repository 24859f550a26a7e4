/// An object that receives the changes of a controller's list, on the context's queue.
///
/// A delegate states in ``reporting`` which methods are called; Core Data checks which methods a delegate implements.
public protocol FetchedResultsControllerDelegate: AnyObject {
  /// The form in which the delegate receives changes. The controller reads it at each event.
  var reporting: FetchedResultsReporting { get }

  /// Called before the changes of one event are reported. The controller already has the new list.
  func controllerWillChangeContent(_ controller: FetchedResultsController)
  /// Called for each section that was inserted or deleted, before the change of any object is reported.
  func controller(
    _ controller: FetchedResultsController, didChange section: FetchedResultsSectionInfo,
    _ change: FetchedResultsSectionChange)
  /// Called for each object that was inserted, deleted, moved or updated.
  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange)
  /// Called after the changes of one event have been reported.
  func controllerDidChangeContent(_ controller: FetchedResultsController)

  /// Called with the whole list after each event that changed it and after each fetch.
  func controller(_ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot)
  /// Called with the objects that were inserted, deleted and moved. Objects that changed and kept their places are not
  /// included.
  func controller(
    _ controller: FetchedResultsController, didChangeContentWith difference: CollectionDifference<ObjectID>)

  /// Returns the index title of a section, or nil to use the capitalized first letter of its name.
  func controller(
    _ controller: FetchedResultsController, sectionIndexTitleForSectionName name: String
  ) -> String?
}

/// The form in which a delegate receives the changes of an event. Each form excludes the others.
public enum FetchedResultsReporting: Hashable, Sendable {
  /// No changes are reported, and context changes do not update the list.
  case nothing
  /// A call of `controllerWillChangeContent`, a call for each changed section, a call for each changed object, and a
  /// call of `controllerDidChangeContent`.
  case changes
  /// The whole new list.
  case snapshot
  /// The difference from the old list to the new one. It is available for lists without sections only.
  case difference
}

extension FetchedResultsControllerDelegate {
  /// The form that a delegate has unless it states another: `changes`, by which changes are reported one by one.
  public var reporting: FetchedResultsReporting { .changes }

  /// Ignores the call. This is the default implementation.
  public func controllerWillChangeContent(_ controller: FetchedResultsController) {}
  /// Ignores the call. This is the default implementation.
  public func controller(
    _ controller: FetchedResultsController, didChange section: FetchedResultsSectionInfo,
    _ change: FetchedResultsSectionChange
  ) {}
  /// Ignores the call. This is the default implementation.
  public func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}
  /// Ignores the call. This is the default implementation.
  public func controllerDidChangeContent(_ controller: FetchedResultsController) {}
  /// Ignores the call. This is the default implementation.
  public func controller(
    _ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {}
  /// Ignores the call. This is the default implementation.
  public func controller(
    _ controller: FetchedResultsController, didChangeContentWith difference: CollectionDifference<ObjectID>
  ) {}
  /// Returns nil, so that the capitalized first letter of the name is used. This is the default implementation.
  public func controller(
    _ controller: FetchedResultsController, sectionIndexTitleForSectionName name: String
  ) -> String? { nil }
}
