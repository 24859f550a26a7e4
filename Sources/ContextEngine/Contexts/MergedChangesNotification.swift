/// The objects that a merge changed in its receiving context, by ID.
public struct MergedChangesNotification: Sendable {
  /// The context that received the merge.
  public let context: ManagedObjectContext
  /// The new objects, which the context has as faults if it did not have them before.
  public let insertedIDs: [ObjectID]
  /// The changed objects that the context had registered.
  public let updatedIDs: [ObjectID]
  /// The deleted objects that the context had registered.
  public let deletedIDs: [ObjectID]
  /// The changed objects that the context had realised, and whose new values it has now.
  public let refreshedIDs: [ObjectID]
}
