/// The result of a fetch request: a case for each result type.
public enum FetchResult: Sendable {
  case managedObjects(FetchedObjects)
  case objectIDs([ObjectID])
  case dictionaries([FetchedDictionary])
  case count(Int)
}
