/// The result of a fetch request: a case for each result type.
public enum FetchResult: Sendable {
  /// The objects in order.
  case managedObjects(FetchedObjects)
  /// The IDs of the objects in order.
  case objectIDs([ObjectID])
  /// The values of properties and expressions, by name.
  case dictionaries([FetchedDictionary])
  /// The number of objects.
  case count(Int)
}
