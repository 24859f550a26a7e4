/// Deletes rows by SQL, without making objects.
///
/// Delete rules are honoured as far as keys in tables tell who is related: *cascade* deletes what is related too, with its
/// own rules, *nullify* empties the keys that lead here and raises their rows' versions, *deny* refuses the whole request.
/// Contexts, validation and notifications are passed by; rows in the row cache stay until the IDs are merged. The IDs are
/// those of all deleted rows, the cascade's too; rows whose keys were emptied are not among them.
public struct BatchDeleteRequest: Sendable {
  public var resultType = BatchResultType.statusOnly
  let target: Target

  enum Target: Sendable {
    case matches(FetchRequest)
    case objectIDs([ObjectID])
  }

  /// Deletes what the request's entity and predicate select.
  public init(_ request: FetchRequest) {
    target = .matches(request)
  }

  /// Deletes the rows with these IDs; those that are gone, or were never saved, are passed over.
  public init(objectIDs: [ObjectID]) {
    target = .objectIDs(objectIDs)
  }
}
