import MachineCore

/// A list of the objects that match a fetch, kept in step with its context and reported to a delegate.
///
/// Belongs to its context's queue. It follows the context's did-change events: local changes, merges, pushes from children.
/// Objects that the context has not realised bring no event when others change them, so the list misses those changes, as
/// Core Data's does. After the context's `reset` it is empty until it fetches again.
// `@unchecked Sendable`: used on the context's queue only.
public final class FetchedResultsController: @unchecked Sendable {
  public let fetchRequest: FetchRequest
  public let managedObjectContext: ManagedObjectContext
  /// Without a delegate the list stays as it was fetched.
  public weak var delegate: (any FetchedResultsControllerDelegate)?
  /// The list; nil before `performFetch` and after the context's `reset`.
  public private(set) var fetchedObjects: FetchedObjects?

  private let order: ObjectOrder
  private let evaluator: PredicateEvaluator
  private var observation: ObserverToken?

  /// Makes a controller. Traps when the request has no sort descriptor, without which a list has no order to keep.
  public init(fetchRequest: FetchRequest, managedObjectContext: ManagedObjectContext) {
    guard !fetchRequest.sortDescriptors.isEmpty else {
      trapMisuse("a fetched results controller of \(fetchRequest.entity.name) was made without a sort descriptor")
    }
    self.fetchRequest = fetchRequest
    self.managedObjectContext = managedObjectContext
    order = ObjectOrder(fetchRequest.sortDescriptors)
    evaluator = PredicateEvaluator(fetchRequest.predicate, managedObjectContext.coordinator.identities)
    observation = managedObjectContext.controllers.add { [weak self] event in
      self?.receive(event)
    }
  }

  deinit {
    observation?.cancel()
  }

  /// Fetches the list anew: one SELECT of rows, or of keys where the request is batched.
  public func performFetch() throws(PersistenceError) {
    fetchedObjects = nil
    fetchedObjects = try managedObjectContext.fetch(fetchRequest)
  }
}

// MARK: - Following the context

extension FetchedResultsController {
  private func receive(_ event: ControllerEvent) {
    switch event {
    case .invalidatedAll:
      fetchedObjects = nil
    case .rekeyed(let permanentIDs):
      fetchedObjects?.rekey(permanentIDs)
    case .deletedElsewhere(let objectIDs):
      drop(objectIDs)
    case .changed(let changes):
      guard let fetchedObjects, let delegate else { return }
      managedObjectContext.machine.during(.controller) {
        follow(changes, fetchedObjects, delegate)
      }
    }
  }

  /// Takes objects out that others deleted before their batch was loaded, so that the list keeps no rows that are gone.
  private func drop(_ objectIDs: [ObjectID]) {
    guard let fetchedObjects else { return }
    let listed = fetchedObjects.positions(of: objectIDs.filter { fetchRequest.covers($0.entityIndex) })
    guard !listed.isEmpty else { return }
    for objectID in listed.keys.sorted() {
      managedObjectContext.mergeDeletion(of: managedObjectContext.object(with: objectID))
    }
    managedObjectContext.processPendingChanges(origin: .merge)
  }

  private func follow(
    _ changes: ControllerEvent.Changes, _ list: FetchedObjects, _ delegate: any FetchedResultsControllerDelegate
  ) {
    var update = FetchedResultsUpdate(list: list, request: fetchRequest, order: order, evaluator: evaluator)
    update.collect(changes)
    guard !update.isEmpty else { return }
    let reports = update.apply()
    guard !reports.isEmpty else { return }
    managedObjectContext.machine.account(Work(.controllerChange, count: reports.count))
    delegate.controllerWillChangeContent(self)
    for report in reports { delegate.controller(self, didChange: report.object, report.change) }
    delegate.controllerDidChangeContent(self)
  }
}
