// MARK: - Evaluating

extension Predicate {
  /// Returns whether an object matches, with its unsaved changes, as a fetch would find it. Fires the object if it is a fault,
  /// and what the predicate's key paths lead over.
  ///
  /// - Throws: `PersistenceError`: `invalidPredicate` if the predicate does not fit the object's entity, and
  ///   `referentialIntegrity` if the object has no row any more.
  public func evaluate(with object: ManagedObject) throws(PersistenceError) -> Bool {
    guard let context = object.managedObjectContext else {
      throw PersistenceError(
        .referentialIntegrity,
        "a predicate was evaluated with \(object.entity.name) \(object.objectID.key), which belongs to no context any more",
        objectIDs: [object.objectID])
    }
    context.checkQueue()
    try PredicateChecker(context.coordinator.model, object.entity).check(self)
    try object.fulfillFault()
    context.countObjectsTested(1)
    return PredicateEvaluator(self, context.coordinator.identities).matches(object)
  }
}
