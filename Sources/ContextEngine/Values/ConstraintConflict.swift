/// Objects that a save would leave with the same values of a uniqueness constraint.
///
/// Two kinds, as in Core Data: objects of one context that meet each other, and objects of a context that meet one in the
/// store. Core Data's `NSConstraintConflict`.
public struct ConstraintConflict: Sendable {
  /// The entity whose objects keep to the constraint.
  public let entityName: String
  /// The names of the properties, in declared order.
  public let constraint: [String]
  /// The values that are shared, in step with the names.
  public let constraintValues: [Value]
  /// The object in the store that has these values; nil where those of the context meet each other only.
  public let databaseObjectID: ObjectID?
  /// The objects of the context, new ones first, as it knows them.
  public let conflictingObjectIDs: [ObjectID]
  /// The row that the object in the store has.
  package let databaseSnapshot: Row?
}
