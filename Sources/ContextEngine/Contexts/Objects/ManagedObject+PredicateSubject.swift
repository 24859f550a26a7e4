// Every member of this conformance fires faults and may read from the store.
extension ManagedObject: PredicateSubject {
  package func value(at path: PropertyPath) -> Value { self[path] }

  package func relatedSubject(at path: PropertyPath) -> ManagedObject? {
    guard let object = related(path) else { return nil }
    if object.isFault { object.fulfillOrTrap() }
    return object.isDeleted ? nil : object
  }

  package func relatedSubjects(at path: PropertyPath) -> [ManagedObject] {
    relatedObjects(path).filter { !$0.isDeleted }
  }
}
