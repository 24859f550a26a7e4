/// An object on which predicates are tested: an object of a context or a row of a store.
package protocol PredicateSubject {
  var objectID: ObjectID { get }

  /// Returns the value of an attribute or a to-one relationship.
  func value(at path: PropertyPath) -> Value

  /// Returns the object at the other end of a to-one relationship, or nil if there is no such object or it is gone.
  func relatedSubject(at path: PropertyPath) -> Self?

  /// Returns the objects at the other end of a to-many relationship, without those that are gone.
  func relatedSubjects(at path: PropertyPath) -> [Self]
}
