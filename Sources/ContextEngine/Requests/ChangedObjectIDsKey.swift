/// The key of a list of IDs in the notification of a remote save. It states the kind of change of the list's objects.
public enum ChangedObjectIDsKey: String, Hashable, Sendable, CaseIterable {
  case inserted = "inserted_objectIDs"
  case updated = "updated_objectIDs"
  case deleted = "deleted_objectIDs"
}
