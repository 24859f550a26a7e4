/// What happened to the objects in a list of IDs: the keys of a remote save.
public enum ChangedObjectIDsKey: String, Hashable, Sendable, CaseIterable {
  case inserted = "inserted_objectIDs"
  case updated = "updated_objectIDs"
  case deleted = "deleted_objectIDs"
}
