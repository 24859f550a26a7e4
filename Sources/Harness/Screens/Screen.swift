import ContextEngine
import MachineCore

/// A screen of the app, with a list of one entity of which some rows are visible.
///
/// Use it on the main queue, inside events of its context.
// `@unchecked Sendable`: used on the main queue only.
package final class Screen: @unchecked Sendable {
  let number: Int
  package let entity: EngineSchema.Entity
  let context: ManagedObjectContext
  private let options: RunOptions
  private let fetchesShownProperties: Bool
  private var controller: FetchedResultsController?
  /// The index of the first visible row.
  package private(set) var topRow = 0

  package init(
    number: Int, entity: EngineSchema.Entity, context: ManagedObjectContext, options: RunOptions,
    fetchesShownProperties: Bool
  ) {
    self.number = number
    self.entity = entity
    self.context = context
    self.options = options
    self.fetchesShownProperties = fetchesShownProperties
  }

  /// Makes the controller and fetches the list. If the fetch fails, the screen keeps the controller that it had.
  package func open() throws(PersistenceError) {
    var request = FetchRequest(
      entity.description, predicate: entity.listPredicate, sortDescriptors: entity.sortDescriptors)
    request.relationshipKeyPathsForPrefetching = entity.prefetched
    // The rows of an entity that inherits from this one are in a separate list.
    request.includesSubentities = false
    request.fetchBatchSize = options.fetchBatchSize
    request.propertiesToFetch = propertiesToFetch
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    controller.delegate = self
    try controller.performFetch()
    self.controller = controller
  }

  /// Releases the controller. The screen is empty until it is opened again.
  package func close() {
    controller = nil
  }

  /// The properties that a fetch reads, or nil for all. The sort keys and the key of the row are always among them.
  /// Names of properties that only other entities have are ignored.
  private var propertiesToFetch: [PropertyPath]? {
    if let names = options.propertiesToFetch {
      let asked = names.compactMap { entity.description.pathIfPresent($0) }
      return asked + entity.sortDescriptors.map(\.path) + entity.keys
    }
    guard fetchesShownProperties else { return nil }
    return entity.shown + entity.linkedCells.map { $0.steps[0] } + entity.sortDescriptors.map(\.path) + entity.keys
  }

  /// The rows of the list, or nil if the screen is closed.
  var rows: FetchedObjects? { controller?.fetchedObjects }

  /// Moves the first visible row to its place after a time of scrolling at constant speed, back and forth between the
  /// ends.
  package func scroll(at speed: Int, for elapsed: TimeSpan) {
    let range = max(0, (rows?.count ?? 0) - options.visibleRows)
    let distance = Int(max(0, elapsed.nanoseconds)) / 1_000 * speed / 1_000_000
    guard range > 0 else {
      topRow = 0
      return
    }
    let position = distance % (2 * range)
    topRow = position <= range ? position : 2 * range - position
  }

  /// The visible rows, from the top. Reading the property loads their batches.
  package var visibleRows: [ManagedObject] {
    guard let rows else { return [] }
    let first = min(topRow, rows.count)
    return (first..<min(first + options.visibleRows, rows.count)).map { rows[$0] }
  }

  /// The rows below the visible ones, in the order of the list. They are loaded as they are iterated over.
  var rowsBelow: some Sequence<ManagedObject> {
    let rows = rows
    let count = rows?.count ?? 0
    let first = min(min(topRow, count) + options.visibleRows, count)
    return (first..<count).lazy.compactMap { rows?[$0] }
  }

  /// Reads every shown property of the visible rows and of the objects to which they lead, as cells do, firing faults
  /// where needed.
  package func readVisibleCells() {
    let visible = visibleRows
    guard !visible.isEmpty else { return }
    for object in visible {
      for path in entity.shown { _ = object[path] }
      for path in entity.linkedCells {
        var related: ManagedObject? = object
        for step in path.steps.dropLast() { related = related?.related(step) }
        if let related { _ = related[path.last] }
      }
    }
    context.machine.account(Work(.cellRead, count: visible.count))
  }
}

extension Screen: FetchedResultsControllerDelegate {
  package func controllerWillChangeContent(_ controller: FetchedResultsController) {}

  package func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}

  package func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
