/// A request for the objects of one entity that match a predicate, in a given order.
///
/// A context runs a request in a block on its queue:
///
/// ```swift
/// let book = model.entity("Book")
/// let isGood = FetchPredicate.comparison(book.path("rating"), .greaterOrEqual, .integer(4))
/// var request = FetchRequest(book, predicate: isGood, sortDescriptors: [FetchSortDescriptor(book.path("title"))])
/// request.fetchLimit = 20
/// let titles = try context.performAndWait { try context.fetch(request).map { $0["title"] } }
/// ```
public struct FetchRequest: Sendable {
  /// The entity whose objects are found.
  public var entity: EntityDescription
  /// True if objects of entities that inherit from this one are found too.
  public var includesSubentities = true
  /// The condition on the objects, or nil to find all.
  public var predicate: FetchPredicate?
  /// The sort keys, the most significant first. If it is empty, the order of fetched objects is not defined.
  public var sortDescriptors: [FetchSortDescriptor] = []
  /// The maximum number of results, or 0 for all.
  public var fetchLimit = 0
  /// The number of results that are skipped first. A child context ignores it, except for dictionaries, unless its
  /// `ignoresFetchOffsetBelowContext` is false.
  public var fetchOffset = 0
  /// The number of rows that are read at a time, or 0 to read all at once. A child context ignores it unless its
  /// `ignoresBatchSizeBelowContext` is false.
  public var fetchBatchSize = 0
  /// The properties to read, or nil for all. An object fetched with some of its properties reads the others with one
  /// SELECT when one of them is accessed. A child context ignores it, except for dictionaries.
  public var propertiesToFetch: [PropertyPath]?
  /// True if unsaved changes of the context, and of its parents, are taken into account. Dictionaries never include
  /// them.
  public var includesPendingChanges = true
  /// True if fetched objects stay faults, with their rows in the row cache, until a property is read.
  public var returnsObjectsAsFaults = true
  /// True if rows are read. If it is false, a fetch finds only the identities, and each object's row is read when the
  /// object fires.
  public var includesPropertyValues = true
  /// True if fetched objects that are already realised in the context get the values of their rows; local changes are
  /// kept. Batched and asynchronous fetches ignore it.
  public var shouldRefreshRefetchedObjects = false
  /// The relationships whose objects are fetched too. Each step of each key path takes one SELECT, or two if both a
  /// to-many relationship and the rows of its objects have to be read. Batched and asynchronous fetches ignore it.
  public var relationshipKeyPathsForPrefetching: [PropertyKeyPath] = []

  /// The kind of result that `execute` returns.
  public var resultType = ResultType.managedObjects
  /// The columns of dictionaries in addition to `propertiesToFetch`: functions, key paths, identities.
  public var expressionsToFetch: [ExpressionDescription] = []
  /// The properties by which dictionaries are grouped. Rows with the same values make one dictionary.
  public var propertiesToGroupBy: [PropertyKeyPath] = []
  /// The condition on the groups that are returned. It refers to named expressions as variables (`$count > 3`).
  public var havingPredicate: FetchPredicate?
  /// True if equal dictionaries are returned only once.
  public var returnsDistinctResults = false

  /// The kind of result of a fetch request.
  public enum ResultType: String, Hashable, Sendable, CaseIterable {
    /// The objects.
    case managedObjects
    /// The IDs of the objects.
    case objectIDs
    /// The values of properties and expressions, by name.
    case dictionaries
    /// The number of objects.
    case count
  }

  /// Creates a request for the objects of an entity that match a predicate, or for all of them if there is no
  /// predicate.
  public init(
    _ entity: EntityDescription, predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = []
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  /// The slots to read.
  var slots: SlotSet {
    guard let propertiesToFetch else { return .all }
    return SlotSet(propertiesToFetch.lazy.filter { !$0.isToMany }.map(\.slot))
  }

  /// Returns true if the request may find objects of an entity.
  func covers(_ entity: EntityDescription) -> Bool {
    entity === self.entity || includesSubentities && entity.isKind(of: self.entity)
  }

  /// Returns true if the request may find objects of the entity with the given index.
  func covers(_ entityIndex: Int) -> Bool {
    entityIndex == entity.index || includesSubentities && entity.includes(entityIndex)
  }

  func storeRequest(_ range: FetchRange = FetchRange()) -> StoreFetchRequest {
    var request = StoreFetchRequest(
      entity: entity, predicate: predicate, sortDescriptors: sortDescriptors, slots: slots,
      includesSubentities: includesSubentities)
    request.range = range
    return request
  }
}

// MARK: - Checking

extension FetchRequest {
  /// Checks that the request fits its entity. O(size of the request).
  ///
  /// - Throws: `.invalidPredicate` with a description of the mistake.
  func check(_ model: ManagedObjectModel) throws(PersistenceError) {
    guard fetchLimit >= 0, fetchOffset >= 0, fetchBatchSize >= 0 else {
      throw PersistenceError(.invalidPredicate, "a fetch limit, offset or batch size is below 0")
    }
    let checker = PredicateChecker(model: model, entity: entity)
    if let predicate, !predicate.isPlain { try checker.check(predicate) }
    for sort in sortDescriptors where sort.keyPath.steps.count > 1 || sort.keyPath.root != .object {
      if case .object = try checker.kind(of: .keyPath(sort.keyPath)) {
        let name = model.description(of: sort.keyPath)
        throw PersistenceError(.invalidPredicate, "“\(name)” leads to objects, which have no order")
      }
    }
    if model.allowsExternalData {
      for sort in sortDescriptors where try checker.kind(of: .keyPath(sort.keyPath)) == .externalData {
        let name = model.description(of: sort.keyPath)
        throw PersistenceError(
          .invalidPredicate, "“\(name)” has external storage, so fetches cannot sort by it")
      }
    }
    for keyPath in relationshipKeyPathsForPrefetching {
      guard case .object = try checker.check(keyPath) else {
        throw PersistenceError(
          .invalidPredicate, "“\(model.description(of: keyPath))” is not a relationship that can be prefetched")
      }
    }
  }
}
