/// What to fetch: objects of one entity that match a predicate, in an order.
public struct FetchRequest: Sendable {
  public var entity: EntityDescription
  /// Whether objects of entities that inherit from this one are found too.
  public var includesSubentities = true
  /// Nil = all.
  public var predicate: Predicate?
  public var sortDescriptors: [SortDescriptor] = []
  /// How many rows to read at a time; 0 = all at once. A context below another context ignores it.
  public var fetchBatchSize = 0
  /// The properties to read; nil = all. An object fetched with some reads the others by one SELECT when asked for one.
  /// A context below another context ignores it.
  public var propertiesToFetch: [PropertyPath]?
  /// Whether unsaved changes of the context, and of the contexts above, count.
  public var includesPendingChanges = true
  /// Whether fetched objects stay faults, with their rows in the row cache, until a property is read.
  public var returnsObjectsAsFaults = true

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

  func storeRequest() -> StoreFetchRequest {
    StoreFetchRequest(
      entity: entity, predicate: predicate, sortDescriptors: sortDescriptors, slots: slots,
      includesSubentities: includesSubentities)
  }
}
