import MachineCore

// `@unchecked Sendable`: it is used on the context's queue only.
/// A list of the objects that match a fetch, optionally in sections. The controller updates it when its context changes
/// and reports the changes to a delegate.
///
/// It must be used on its context's queue. It follows the context's did-change events: local changes, merges, and
/// pushes from child contexts. Changes by others to objects that are not realised in the context cause no event, so the
/// list misses them, as in Core Data; `ManagedObjectContext.firesUpdatedObjectsBeforeMerging` is the usual workaround.
/// Objects whose rows turn out to be gone count as deleted. After the context's `reset` there is no list until the next
/// `performFetch`.
///
/// A controller is created and used in blocks on its context's queue:
///
/// ```swift
/// let book = model.entity("Book")
/// let request = FetchRequest(book, sortDescriptors: [FetchSortDescriptor(book.path("title"))])
/// let controller = try context.performAndWait {
///   let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
///   controller.delegate = delegate
///   try controller.performFetch()
///   return controller
/// }
/// let count = context.performAndWait { controller.fetchedObjects?.count }
/// ```
public final class FetchedResultsController: @unchecked Sendable {
  /// The fetch whose results are the list.
  public let fetchRequest: FetchRequest
  /// The context that fetches the list and whose changes the controller follows.
  public let managedObjectContext: ManagedObjectContext
  /// The property that divides the list into sections, or nil if the list is one section with an empty name.
  public var sectionNameKeyPath: PropertyPath? { sectioning?.path }
  /// The name under which the coordinator keeps the list for later controllers, or nil if the list is not cached.
  public let cacheName: String?
  /// The object that receives the changes of the list. If there is no delegate, or its `reporting` is `.nothing`,
  /// context changes do not update the list.
  public weak var delegate: (any FetchedResultsControllerDelegate)?
  /// The list, or nil before `performFetch` and after the context's `reset`.
  public internal(set) var fetchedObjects: FetchedObjects?

  /// The sections of the list. They are valid only while there is a list.
  var sectionTable = SectionTable(whole: 0)
  let sectioning: Sectioning?
  let order: ObjectOrder
  let evaluator: PredicateEvaluator
  private var observation: ObserverToken?

  /// Creates a controller.
  ///
  /// Traps if the request has no sort descriptor, because the list then has no order to maintain, or if the first sort
  /// descriptor is not the property of the sections, because the objects of a section would then not be adjacent.
  ///
  /// - Parameters:
  ///   - fetchRequest: The fetch whose results are the list.
  ///   - managedObjectContext: The context that fetches the list and whose changes the controller follows.
  ///   - sectionNameKeyPath: The property that determines the section of each object, or nil for a list without
  ///     sections.
  ///   - sectionName: Returns the name of a section for a value of the property, such as its first letter. If it is
  ///     nil, the value itself is the name. Values with the same name must be adjacent in the list's order.
  ///   - cacheName: The name under which the coordinator keeps the list, which is used again if the store has not
  ///     changed since. A name must belong to one request and one way of making sections.
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
    evaluator = PredicateEvaluator(fetchRequest.predicate, identities: managedObjectContext.coordinator.identities)
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
  /// Fetches the list again. This takes one SELECT of rows, or of keys if the request is batched. With sections, one
  /// more SELECT reads the values that neither objects nor the row cache have. If a cached list is valid, the only
  /// SELECTs are those that read the rows, by key, as objects are accessed.
  ///
  /// It first processes the context's pending changes. The controller does not report these, because the fetched list
  /// already contains them; otherwise they would be reported later in the same event.
  ///
  /// A delegate whose `reporting` is `.snapshot` receives the new list.
  ///
  /// - Throws: `.sectionsOutOfOrder` if the objects of a section are not adjacent in the list's order, and the errors
  ///   of the fetch.
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

  /// Deletes the list that a coordinator keeps under a cache name.
  ///
  /// - Parameters:
  ///   - name: The cache name, or nil to delete all cached lists.
  ///   - coordinator: The coordinator that keeps the lists.
  public static func deleteCache(withName name: String?, of coordinator: PersistentStoreCoordinator) {
    coordinator.fetchedResultsCache.delete(name)
  }

  private var cache: FetchedResultsCache { managedObjectContext.coordinator.fetchedResultsCache }

  private var cacheRequest: FetchedResultsCache.Request {
    FetchedResultsCache.Request(fetchRequest, sectionPath: sectionNameKeyPath)
  }

  /// Returns the state of the store for which a cached list is valid. Returns nil if the list is not cached: without a
  /// cache name, in a child context, if the context has unsaved changes, or if the store cannot detect changes.
  private func cacheToken() throws(PersistenceError) -> [Int64]? {
    let context = managedObjectContext
    guard cacheName != nil, context.parent == nil, !context.hasChanges else { return nil }
    return try context.coordinator.reading { () throws(PersistenceError) -> [Int64]? in
      try context.coordinator.store.changeToken()
    }
  }

  /// Creates a list from a cache entry. Its rows are read by key, in the request's batches or all at once.
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
    case .sought(let row):
      guard let fetchedObjects, fetchRequest.covers(row.objectID.entityIndex) else { return }
      if !fetchedObjects.positions(of: [row.objectID]).isEmpty { row.isListed = true }
    case .changed(let changes):
      guard let fetchedObjects, let delegate, delegate.reporting != .nothing else { return }
      let count = changes.inserted.count + changes.updated.count + changes.deleted.count + changes.refreshed.count
      managedObjectContext.recorder.during(.controller, of: count, in: managedObjectContext.name) {
        follow(changes, in: fetchedObjects, delegate: delegate)
      }
    }
  }

  /// Merges the deletions of listed objects that were deleted elsewhere before their batch was loaded. A list that
  /// follows changes then removes them, so that it has no objects without rows.
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
    _ changes: ControllerEvent.Changes, in list: FetchedObjects, delegate: any FetchedResultsControllerDelegate
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
