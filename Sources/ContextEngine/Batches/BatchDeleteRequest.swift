/// A request that deletes rows by SQL, without making objects.
///
/// Delete rules are applied as far as foreign keys in tables identify the related rows: *cascade* also deletes related
/// rows, with their own rules, *nullify* clears the keys that refer to the deleted rows and raises the versions of the
/// changed rows, *deny* refuses the whole request. Contexts are not changed, objects are not validated, and no
/// notifications are sent; rows in the row cache stay until the IDs are merged. The returned IDs include all deleted
/// rows, also those deleted by cascade, but not the rows in which keys were cleared.
public struct BatchDeleteRequest: Sendable {
  /// The kind of result that the request returns.
  public var resultType = BatchResultType.statusOnly
  let target: Target

  enum Target: Sendable {
    case matches(FetchRequest)
    case objectIDs([ObjectID])
  }

  /// Creates a request that deletes the rows that the fetch request selects.
  public init(_ request: FetchRequest) {
    target = .matches(request)
  }

  /// Creates a request that deletes the rows with these IDs. IDs of rows that were deleted or never saved are ignored.
  public init(objectIDs: [ObjectID]) {
    target = .objectIDs(objectIDs)
  }
}
