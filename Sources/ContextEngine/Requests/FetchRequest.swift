/// What to fetch: objects of one entity that match a predicate, in an order.
public struct FetchRequest: Sendable {
  public var entity: EntityDescription
  /// Whether objects of entities that inherit from this one are found too.
  public var includesSubentities = true
  /// Nil = all.
  public var predicate: Predicate?
  public var sortDescriptors: [SortDescriptor] = []
  /// At most so many; 0 = all.
  public var fetchLimit = 0
  /// So many are passed over first. A context below another context ignores it, unless its switch is off.
  public var fetchOffset = 0
  /// How many rows to read at a time; 0 = all at once. A context below another context ignores it.
  public var fetchBatchSize = 0
  /// The properties to read; nil = all. An object fetched with some reads the others by one SELECT when asked for one.
  /// A context below another context ignores it.
  public var propertiesToFetch: [PropertyPath]?
  /// Whether unsaved changes of the context, and of the contexts above, count. Dictionaries never show them.
  public var includesPendingChanges = true
  /// Whether fetched objects stay faults, with their rows in the row cache, until a property is read.
  public var returnsObjectsAsFaults = true
  /// Whether rows are read at all; if not, a fetch finds out identities only, and each object's row is read when it fires.
  public var includesPropertyValues = true
  /// Whether fetched objects that the context has realised already get the values of the rows, under their local changes.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships whose objects are read along with those fetched, each step of each path by one SELECT.
  public var relationshipKeyPathsForPrefetching: [PropertyKeyPath] = []

  /// What `execute` returns.
  public var resultType = ResultType.managedObjects
  /// What dictionaries have besides `propertiesToFetch`: functions, key paths, identities.
  public var expressionsToFetch: [ExpressionDescription] = []
  /// Rows with the same values here make one dictionary.
  public var propertiesToGroupBy: [PropertyKeyPath] = []
  /// Which groups are returned; names of expressions are its variables (`$count > 3`).
  public var havingPredicate: Predicate?
  /// Whether equal dictionaries are returned once.
  public var returnsDistinctResults = false

  public enum ResultType: String, Hashable, Sendable, CaseIterable {
    case managedObjects
    case objectIDs
    case dictionaries
    case count
  }

  public init(_ entity: EntityDescription, predicate: Predicate? = nil, sortDescriptors: [SortDescriptor] = []) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
  }

  /// The slots to read, as bits.
  var slots: UInt64 {
    guard let propertiesToFetch else { return Row.allSlots }
    return propertiesToFetch.reduce(0) { $1.isToMany ? $0 : $0 | 1 << UInt64($1.slot) }
  }

  /// Whether an object of this entity may be found.
  func covers(_ entity: EntityDescription) -> Bool {
    entity === self.entity || includesSubentities && entity.isKind(of: self.entity)
  }

  /// Whether an object of the entity with this index may be found.
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
  /// Finds out whether the request can be asked of its entity. O(size).
  ///
  /// - Throws: `.invalidPredicate` with what is wrong.
  func check(_ model: ManagedObjectModel) throws(PersistenceError) {
    guard fetchLimit >= 0, fetchOffset >= 0, fetchBatchSize >= 0 else {
      throw PersistenceError(.invalidPredicate, "a fetch limit, offset or batch size is below 0")
    }
    let checker = PredicateChecker(model, entity)
    if let predicate, !predicate.isPlain { try checker.check(predicate) }
    for sort in sortDescriptors where sort.keyPath.steps.count > 1 || sort.keyPath.root != .object {
      if case .object = try checker.kind(of: .keyPath(sort.keyPath)) {
        let name = model.description(of: sort.keyPath)
        throw PersistenceError(.invalidPredicate, "“\(name)” leads to objects, which have no order to sort by")
      }
    }
    if model.allowsExternalData {
      for sort in sortDescriptors where try checker.kind(of: .keyPath(sort.keyPath)) == .externalData {
        let name = model.description(of: sort.keyPath)
        throw PersistenceError(
          .invalidPredicate, "“\(name)” may lie in files, so that nothing can be sorted by it")
      }
    }
    for keyPath in relationshipKeyPathsForPrefetching {
      guard case .object = try checker.check(keyPath) else {
        throw PersistenceError(
          .invalidPredicate, "“\(model.description(of: keyPath))” is no relationship to prefetch")
      }
    }
  }
}
