// MARK: - Evaluating

extension PredicateEvaluator {
  /// Returns true if the object, with its unsaved changes, matches. It fires the object if it is a fault.
  func matches(_ object: ManagedObject) -> Bool {
    if case .always = node { return true }
    if !object.isWhole { object.fulfillOrTrap() }
    return matches(node, in: PredicateScope(object: object))
  }
}

extension FetchPredicate {
  /// Returns true if an object, with its unsaved changes, matches the predicate.
  ///
  /// It fires the object if it is a fault, and the faults along the predicate's key paths.
  ///
  /// - Throws: `PersistenceError` with `invalidPredicate` if the predicate does not fit the object's entity, and with
  ///   `referentialIntegrity` if the object's row or its context no longer exists.
  public func evaluate(with object: ManagedObject) throws(PersistenceError) -> Bool {
    guard let context = object.managedObjectContext else {
      throw PersistenceError(
        .referentialIntegrity,
        "a predicate was evaluated with \(object.entity.name) \(object.objectID.key), which no longer belongs to a "
          + "context",
        objectIDs: [object.objectID])
    }
    context.checkQueue()
    try PredicateChecker(model: context.coordinator.model, entity: object.entity).check(self)
    try object.fulfillFault()
    context.countObjectsTested(1)
    return PredicateEvaluator(self, identities: context.coordinator.identities).matches(object)
  }
}
