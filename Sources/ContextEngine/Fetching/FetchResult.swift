/// What a request of any result type found.
public enum FetchResult: Sendable {
  case managedObjects(FetchedObjects)
  case objectIDs([ObjectID])
  case dictionaries([FetchedDictionary])
  case count(Int)
}
