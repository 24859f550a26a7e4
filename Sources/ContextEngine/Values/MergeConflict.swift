/// A change that was based on a state that is no longer the current one.
///
/// There are two kinds, as in Core Data: the context's snapshot differs from the row cache, or the row cache differs
/// from the store.
public struct MergeConflict: Sendable {
  /// The two places whose versions of an object differ.
  public enum Kind: Sendable {
    /// The row cache has another version than the object's snapshot.
    case contextAgainstRowCache
    /// The store has another version than the row cache, or no longer has the row.
    case rowCacheAgainstStore
  }

  /// The kind of the conflict.
  public let kind: Kind
  /// The ID of the object that was changed or deleted.
  public let objectID: ObjectID
  /// The version that the change was based on.
  public let oldVersion: Int64
  /// The version that the change found; 0 if the row was deleted.
  public let newVersion: Int64
  /// The row that the change found, or nil if it was deleted.
  package let current: Row?

  package init(kind: Kind, objectID: ObjectID, oldVersion: Int64, current: Row?) {
    self.kind = kind
    self.objectID = objectID
    self.oldVersion = oldVersion
    newVersion = current?.version ?? 0
    self.current = current
  }
}
