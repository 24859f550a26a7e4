/// A fetch in the form that a store takes: without pending changes and batches.
package struct StoreFetchRequest: Sendable {
  package var entity: EntityDescription
  /// True if rows of entities that inherit from this one are found too.
  package var includesSubentities: Bool
  package var predicate: FetchPredicate?
  package var sortDescriptors: [FetchSortDescriptor]
  /// The slots to read. They are ignored if only keys are requested.
  package var slots: SlotSet
  /// The part of the matching rows that is requested, in the request's order.
  package var range = FetchRange()
  /// The progress that the store updates as it reads rows, and by which the fetch can be cancelled.
  package var progress: FetchProgress?

  package init(
    entity: EntityDescription, predicate: FetchPredicate?, sortDescriptors: [FetchSortDescriptor],
    slots: SlotSet = .all,
    includesSubentities: Bool = true
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.slots = slots
  }

  /// A request for all matching rows, in any order.
  package var unordered: StoreFetchRequest {
    StoreFetchRequest(
      entity: entity, predicate: predicate, sortDescriptors: [], slots: slots, includesSubentities: includesSubentities)
  }

  /// Returns true if the request may find rows of the entity with the given index.
  package func covers(_ entityIndex: Int) -> Bool {
    entityIndex == entity.index || includesSubentities && entity.includes(entityIndex)
  }
}
