/// What predicates are tested on: an object of a context or a row of a store.
package protocol PredicateSubject {
  var objectID: ObjectID { get }

  /// The value of an attribute or a to-one relationship.
  func value(at path: PropertyPath) -> Value

  /// The object at the other end of a to-one relationship; nil = none, or it is gone.
  func relatedSubject(at path: PropertyPath) -> Self?

  /// The objects at the other end of a to-many relationship, without those that are gone.
  func relatedSubjects(at path: PropertyPath) -> [Self]
}
