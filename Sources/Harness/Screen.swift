import ContextEngine
import MachineCore

/// One screen of the simulated app: a list of one entity, of which some rows are visible.
///
/// Lives on the main queue, inside events of its context.
// `@unchecked Sendable`: used on the main queue only.
final class Screen: @unchecked Sendable {
  let number: Int
  let entity: EngineSchema.Entity
  let context: ManagedObjectContext
  private let options: RunOptions
  private let fetchesShownProperties: Bool
  private var controller: FetchedResultsController?
  /// How many rows the controller said had changed: what a table view would have been told.
  private(set) var reportedChangeCount = 0
  /// The first visible row.
  private(set) var topRow = 0

  init(
    number: Int, entity: EngineSchema.Entity, context: ManagedObjectContext, options: RunOptions,
    fetchesShownProperties: Bool
  ) {
    self.number = number
    self.entity = entity
    self.context = context
    self.options = options
    self.fetchesShownProperties = fetchesShownProperties
  }

  /// Makes the controller and fetches the list.
  func open() throws(PersistenceError) {
    var request = FetchRequest(entity.description, sortDescriptors: entity.sortDescriptors)
    request.fetchBatchSize = options.fetchBatchSize
    request.propertiesToFetch = propertiesToFetch
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
    controller.delegate = self
    try controller.performFetch()
    self.controller = controller
  }

  /// Drops the controller; the screen shows nothing until it is opened again.
  func close() {
    controller = nil
  }

  /// The properties that a fetch reads; nil = all. What sorts the list and names the row is always read; names of
  /// properties that only other entities have are passed over.
  private var propertiesToFetch: [PropertyPath]? {
    if let names = options.propertiesToFetch {
      let asked = names.compactMap { entity.description.pathIfPresent($0) }
      return asked + entity.sortDescriptors.map(\.path) + [entity.key]
    }
    return fetchesShownProperties ? entity.shown + entity.sortDescriptors.map(\.path) + [entity.key] : nil
  }

  /// The rows of the list; empty while the screen is closed.
  var rows: FetchedObjects? { controller?.fetchedObjects }

  /// Moves the first visible row to where a list scrolled at a constant speed, turning at both ends, is after `elapsed`.
  func scroll(at speed: Int, for elapsed: Span) {
    let range = max(0, (rows?.count ?? 0) - options.visibleRows)
    let distance = Int(max(0, elapsed.nanoseconds)) / 1_000 * speed / 1_000_000
    guard range > 0 else {
      topRow = 0
      return
    }
    let position = distance % (2 * range)
    topRow = position <= range ? position : 2 * range - position
  }

  /// The visible rows, from the top. Loads their batches.
  var visibleRows: [ManagedObject] {
    guard let rows else { return [] }
    let first = min(topRow, rows.count)
    return (first..<min(first + options.visibleRows, rows.count)).map { rows[$0] }
  }

  /// Reads every shown property of the visible rows, as cells do, firing faults where needed.
  func readVisibleCells() {
    let visible = visibleRows
    guard !visible.isEmpty else { return }
    for object in visible {
      for path in entity.shown { _ = object[path] }
    }
    context.machine.account(Work(.cellRead, count: visible.count))
  }
}

extension Screen: FetchedResultsControllerDelegate {
  func controllerWillChangeContent(_ controller: FetchedResultsController) {}

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    reportedChangeCount += 1
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
