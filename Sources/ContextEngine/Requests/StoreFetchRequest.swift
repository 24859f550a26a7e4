/// A fetch as a store sees it: no pending changes, no batches.
package struct StoreFetchRequest: Sendable {
  package var entity: EntityDescription
  /// Whether rows of entities that inherit from this one are found too.
  package var includesSubentities: Bool
  package var predicate: Predicate?
  package var sortDescriptors: [SortDescriptor]
  /// The slots to read, as bits; ignored where only keys are asked for.
  package var slots: UInt64
  /// Which of the rows that match, in the request's order.
  package var range = FetchRange()
  /// Hears of rows while they are read, and may stop that.
  package var progress: FetchProgress?

  package init(
    entity: EntityDescription, predicate: Predicate?, sortDescriptors: [SortDescriptor], slots: UInt64 = Row.allSlots,
    includesSubentities: Bool = true
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.slots = slots
  }

  /// Everything that matches, in any order.
  package var unordered: StoreFetchRequest {
    StoreFetchRequest(
      entity: entity, predicate: predicate, sortDescriptors: [], slots: slots, includesSubentities: includesSubentities)
  }

  /// Whether a row of the entity with this index may be found.
  package func covers(_ entityIndex: Int) -> Bool {
    entityIndex == entity.index || includesSubentities && entity.includes(entityIndex)
  }
}
