/// A change that was based on a state that is no longer the current one.
///
/// Two kinds, as in Core Data: the context's snapshot against the row cache, and the row cache against the store.
public struct MergeConflict: Sendable {
  public enum Kind: Sendable {
    /// The row cache holds another version than the object's snapshot.
    case contextAgainstRowCache
    /// The store holds another version than the row cache, or no row any more.
    case rowCacheAgainstStore
  }

  public let kind: Kind
  public let objectID: ObjectID
  /// The version that the change was based on.
  public let oldVersion: Int64
  /// The version that it met; 0 = the row was deleted.
  public let newVersion: Int64
  /// The row that it met; nil where it was deleted.
  package let current: Row?

  package init(kind: Kind, objectID: ObjectID, oldVersion: Int64, current: Row?) {
    self.kind = kind
    self.objectID = objectID
    self.oldVersion = oldVersion
    newVersion = current?.version ?? 0
    self.current = current
  }
}
