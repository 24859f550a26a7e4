import ContextEngine
import MachineCore
import Topologies

/// The open store of a row with its stack: what steps work on between two openings.
struct PublishedStage: Sendable {
  let store: any PersistentStore
  let stack: WiredStack
  let watch: StackWatch
  let importContext: ManagedObjectContext
  let list: ShownList?

  var uiContext: ManagedObjectContext { stack.uiContext(ofScreen: 0) }

  func context(of party: PublishedTable.Party) -> ManagedObjectContext {
    switch party {
    case .importing: importContext
    case .ui: uiContext
    }
  }

  /// Every context, children before their parents, so that what a child's save posts is waited for later.
  var contexts: [ManagedObjectContext] {
    let lasting = stack.lastingContexts
    let isLasting = lasting.contains { $0 === importContext }
    return (isLasting ? [] : [importContext]) + lasting.reversed()
  }
}

/// A list that the UI shows while a row's steps run.
// `@unchecked Sendable`: used on the context's queue only.
final class ShownList: FetchedResultsControllerDelegate, @unchecked Sendable {
  private let controller: FetchedResultsController
  /// How many changes of rows the controller has reported.
  private(set) var reportedChangeCount = 0

  init(_ request: FetchRequest, in context: ManagedObjectContext) {
    controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    controller.delegate = self
  }

  /// Fetches the list, for the first time or again.
  func fetch() throws(PersistenceError) {
    try controller.performFetch()
  }

  var count: Int { controller.fetchedObjects?.count ?? 0 }

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    reportedChangeCount += 1
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
