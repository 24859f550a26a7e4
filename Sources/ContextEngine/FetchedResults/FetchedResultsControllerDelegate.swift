/// Hears how a controller's list changes, on the context's queue.
///
/// A delegate says by ``reporting`` what it wants to hear; Core Data looks which methods it has.
public protocol FetchedResultsControllerDelegate: AnyObject {
  /// What the delegate hears of each event; asked at each.
  var reporting: FetchedResultsReporting { get }

  /// Called before the changes of one event are reported; the controller already shows the new list.
  func controllerWillChangeContent(_ controller: FetchedResultsController)
  /// Called for each section that came or went, before any object's change is reported.
  func controller(
    _ controller: FetchedResultsController, didChange section: FetchedResultsSectionInfo,
    _ change: FetchedResultsSectionChange)
  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange)
  func controllerDidChangeContent(_ controller: FetchedResultsController)

  /// Called with the whole list, after each event that changed it and after each fetch.
  func controller(_ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot)
  /// Called with which objects came, went and moved; those that changed in their places are not in it.
  func controller(
    _ controller: FetchedResultsController, didChangeContentWith difference: CollectionDifference<ObjectID>)

  /// What an index of the list shows for a section; nil = the first letter of its name, in capitals.
  func controller(
    _ controller: FetchedResultsController, sectionIndexTitleForSectionName name: String
  ) -> String?
}

/// What a delegate hears of an event; each kind excludes the others.
public enum FetchedResultsReporting: Hashable, Sendable {
  /// Nothing; and the list is not kept in step with the context.
  case nothing
  /// Each change of a section, then each change of an object, between a beginning and an end.
  case changes
  /// The list as it is now.
  case snapshot
  /// What has to be done to the old list to get the new one. For lists without sections.
  case difference
}

extension FetchedResultsControllerDelegate {
  public var reporting: FetchedResultsReporting { .changes }

  public func controllerWillChangeContent(_ controller: FetchedResultsController) {}
  public func controller(
    _ controller: FetchedResultsController, didChange section: FetchedResultsSectionInfo,
    _ change: FetchedResultsSectionChange
  ) {}
  public func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}
  public func controllerDidChangeContent(_ controller: FetchedResultsController) {}
  public func controller(
    _ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {}
  public func controller(
    _ controller: FetchedResultsController, didChangeContentWith difference: CollectionDifference<ObjectID>
  ) {}
  public func controller(
    _ controller: FetchedResultsController, sectionIndexTitleForSectionName name: String
  ) -> String? { nil }
}
