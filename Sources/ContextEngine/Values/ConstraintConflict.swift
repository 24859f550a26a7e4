/// A group of objects that a save would leave with the same values of a uniqueness constraint.
///
/// There are two kinds, as in Core Data: objects of one context that have the same values, and objects of a context
/// that have the values of one in the store. Core Data calls this `NSConstraintConflict`.
public struct ConstraintConflict: Sendable {
  /// The name of the entity to whose objects the constraint applies.
  public let entityName: String
  /// The names of the properties, in declared order.
  public let constraint: [String]
  /// The values that the objects share, in the order of the names in `constraint`.
  public let constraintValues: [Value]
  /// The object in the store that has these values, or nil if only objects of the context share them.
  public let databaseObjectID: ObjectID?
  /// The objects of the context, new ones first, under the IDs that the context uses.
  public let conflictingObjectIDs: [ObjectID]
  /// The row of the object in the store.
  package let databaseSnapshot: Row?
}
