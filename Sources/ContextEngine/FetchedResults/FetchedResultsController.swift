import MachineCore

/// A list of the objects that match a fetch, in sections if asked for, kept in step with its context and reported to a
/// delegate.
///
/// Belongs to its context's queue. It follows the context's did-change events: local changes, merges, pushes from children.
/// Objects that the context has not realised bring no event when others change them, so the list misses those changes, as
/// Core Data's does; `ManagedObjectContext.firesUpdatedObjectsBeforeMerging` is the usual way round that. Objects that turn
/// out to have no row any more count as deleted. After the context's `reset` the list is empty until it fetches again.
// `@unchecked Sendable`: used on the context's queue only.
public final class FetchedResultsController: @unchecked Sendable {
  public let fetchRequest: FetchRequest
  public let managedObjectContext: ManagedObjectContext
  /// The property by which the list is cut into sections; nil = it is one section without a name.
  public var sectionNameKeyPath: PropertyPath? { sectioning?.path }
  /// Under which name the coordinator keeps the list for later controllers; nil = not at all.
  public let cacheName: String?
  /// Without a delegate, or with one that wants to hear nothing, the list stays as it was fetched.
  public weak var delegate: (any FetchedResultsControllerDelegate)?
  /// The list; nil before `performFetch` and after the context's `reset`.
  public internal(set) var fetchedObjects: FetchedObjects?

  /// The sections of the list, as long as there is one.
  var sectionTable = SectionTable(whole: 0)
  let sectioning: Sectioning?
  let order: ObjectOrder
  let evaluator: PredicateEvaluator
  private var observation: ObserverToken?

  /// Makes a controller.
  ///
  /// Traps when the request has no sort descriptor, without which a list has no order to keep, or when the sections'
  /// property is not the first to sort by, without which the objects of a section would not be together.
  ///
  /// - Parameters:
  ///   - sectionNameKeyPath: the property that names the section of each object.
  ///   - sectionName: makes the name of a section out of the property's value, such as a first letter; nil = the value
  ///     itself. Values that are neighbours in the list's order must have the same name or never again.
  ///   - cacheName: under which name the coordinator keeps the list; it is used again where nothing was written since. A
  ///     name belongs to one request and one way of making sections.
  public init(
    fetchRequest: FetchRequest, managedObjectContext: ManagedObjectContext, sectionNameKeyPath: PropertyPath? = nil,
    sectionName: (@Sendable (Value) -> String)? = nil, cacheName: String? = nil
  ) {
    guard let first = fetchRequest.sortDescriptors.first else {
      trapMisuse("a fetched results controller of \(fetchRequest.entity.name) was made without a sort descriptor")
    }
    if let sectionNameKeyPath, sectionNameKeyPath != first.path {
      let entity = fetchRequest.entity
      trapMisuse(
        "a fetched results controller of \(entity.name) was made with sections by "
          + "\(entity.propertyName(at: sectionNameKeyPath)), but sorts by \(entity.propertyName(at: first.path)) first")
    }
    self.fetchRequest = fetchRequest
    self.managedObjectContext = managedObjectContext
    self.cacheName = cacheName
    sectioning = sectionNameKeyPath.map { Sectioning($0, name: sectionName) }
    order = ObjectOrder(fetchRequest.sortDescriptors)
    evaluator = PredicateEvaluator(fetchRequest.predicate, managedObjectContext.coordinator.identities)
    observation = managedObjectContext.controllers.add { [weak self] event in
      self?.receive(event)
    }
  }

  deinit {
    observation?.cancel()
  }
}

// MARK: - Fetching

extension FetchedResultsController {
  /// Fetches the list anew: one SELECT of rows, or of keys where the request is batched; with sections, one more for the
  /// names that neither objects nor the row cache have. None but that of rows where a cache holds.
  ///
  /// Processes the context's pending changes first, of which this controller reports nothing: the list holds them already,
  /// and what becomes of them later in the same event would be no news of its own.
  ///
  /// - Throws: `.sectionsOutOfOrder` where the order does not keep the objects of a section together, whatever the fetch
  ///   throws otherwise.
  public func performFetch() throws(PersistenceError) {
    fetchedObjects = nil
    sectionTable = SectionTable(whole: 0)
    managedObjectContext.processPendingChanges(origin: .processing)
    let token = try cacheToken()
    if let token, let cacheName, let entry = cache.entry(cacheName, for: cacheRequest, changeToken: token) {
      fetchedObjects = list(of: entry)
      sectionTable = entry.sections
    } else {
      let list = try managedObjectContext.fetch(
        fetchRequest, keepingRows: order.isTold(byRowsWith: fetchRequest.slots))
      sectionTable = try sections(of: list)
      fetchedObjects = list
      if let token, let cacheName {
        cache.keep(
          .init(request: cacheRequest, changeToken: token, objectIDs: list.objectIDs, sections: sectionTable),
          as: cacheName)
      }
    }
    if let delegate, delegate.reporting == .snapshot {
      delegate.controller(self, didChangeContentWith: snapshot(reloading: []))
    }
  }

  /// Deletes what a coordinator keeps under a cache name.
  ///
  /// - Parameter name: nil = every name.
  public static func deleteCache(withName name: String?, of coordinator: PersistentStoreCoordinator) {
    coordinator.fetchedResultsCache.delete(name)
  }

  private var cache: FetchedResultsCache { managedObjectContext.coordinator.fetchedResultsCache }

  private var cacheRequest: FetchedResultsCache.Request {
    FetchedResultsCache.Request(fetchRequest, sectionPath: sectionNameKeyPath)
  }

  /// The state of the store that a cached list belongs to; nil where lists are not cached: without a name, below a
  /// context, with unsaved objects that belong to the list alone, and for stores that cannot tell.
  private func cacheToken() throws(PersistenceError) -> [Int64]? {
    let context = managedObjectContext
    guard cacheName != nil, context.parent == nil, !context.hasChanges else { return nil }
    return try context.coordinator.reading { () throws(PersistenceError) -> [Int64]? in
      try context.coordinator.store.changeToken()
    }
  }

  /// A list whose rows are read by key, in batches as ever or all at once.
  private func list(of entry: FetchedResultsCache.Entry) -> FetchedObjects {
    let batchSize = fetchRequest.fetchBatchSize > 0 ? fetchRequest.fetchBatchSize : max(entry.objectIDs.count, 1)
    return FetchedObjects(
      context: managedObjectContext, entity: fetchRequest.entity, objectIDs: entry.objectIDs, batchSize: batchSize,
      slots: fetchRequest.slots)
  }

  private func sections(of list: FetchedObjects) throws(PersistenceError) -> SectionTable {
    guard let sectioning else { return SectionTable(whole: list.count) }
    let values = try managedObjectContext.values(at: sectioning.path, of: list.objectIDs)
    return try SectionTable(values.map(sectioning.name))
  }
}

// MARK: - Following the context

extension FetchedResultsController {
  private func receive(_ event: ControllerEvent) {
    switch event {
    case .invalidatedAll:
      fetchedObjects = nil
      sectionTable = SectionTable(whole: 0)
    case .rekeyed(let permanentIDs):
      fetchedObjects?.rekey(permanentIDs)
    case .deletedElsewhere(let objectIDs):
      drop(objectIDs)
    case .changed(let changes):
      guard let fetchedObjects, let delegate, delegate.reporting != .nothing else { return }
      let count = changes.inserted.count + changes.updated.count + changes.deleted.count + changes.refreshed.count
      managedObjectContext.machine.during(.controller, of: count, in: managedObjectContext.name) {
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
    var update = FetchedResultsUpdate(list: list, order: order, evaluator: evaluator, sectioning: sectioning)
    update.collect(changes, for: fetchRequest)
    guard !update.isEmpty else { return }
    let outcome = update.apply(sectionTable)
    sectionTable = outcome.newSections
    guard !outcome.reports.isEmpty else { return }
    managedObjectContext.machine.account(Work(.controllerChange, count: outcome.reports.count))
    report(outcome, to: delegate)
  }
}
