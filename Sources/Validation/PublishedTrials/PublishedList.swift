import ContextEngine

/// A list that the UI shows while a row's steps run. Changes of the list have no further effect.
// `@unchecked Sendable`: used on the context's queue only.
final class PublishedList: FetchedResultsControllerDelegate, @unchecked Sendable {
  private let controller: FetchedResultsController

  init(_ request: FetchRequest, in context: ManagedObjectContext) {
    controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    controller.delegate = self
  }

  /// Fetches the list, for the first time or again.
  func fetch() throws(PersistenceError) {
    try controller.performFetch()
  }

  /// The number of objects in the list; 0 before the first fetch.
  var count: Int { controller.fetchedObjects?.count ?? 0 }

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}

  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
