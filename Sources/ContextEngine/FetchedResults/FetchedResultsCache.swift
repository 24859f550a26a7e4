import MachineCore

/// The lists, with their sections, that controllers with a cache name have fetched. A coordinator keeps them for the
/// next controller with the same cache name.
///
/// An entry is valid as long as the request is the same and no connection has written to the store since. Thread-safe.
final class FetchedResultsCache: Sendable {
  struct Entry: Sendable {
    var request: Request
    var changeToken: [Int64]
    var objectIDs: [ObjectID]
    var sections: SectionTable
  }

  /// The properties of a controller that determine its list.
  struct Request: Hashable, Sendable {
    var entity: Int
    var includesSubentities: Bool
    var fetchLimit: Int
    var fetchOffset: Int
    var predicate: FetchPredicate?
    var sortDescriptors: [FetchSortDescriptor]
    var sectionPath: PropertyPath?

    init(_ request: FetchRequest, sectionPath: PropertyPath?) {
      entity = request.entity.index
      includesSubentities = request.includesSubentities
      fetchLimit = request.fetchLimit
      fetchOffset = request.fetchOffset
      predicate = request.predicate
      sortDescriptors = request.sortDescriptors
      self.sectionPath = sectionPath
    }
  }

  private let entries = Guarded<[String: Entry]>([:])

  /// Returns the entry with the given name, or nil if there is no such entry, if it was made for another request, or if
  /// the store has changed since.
  func entry(_ name: String, for request: Request, changeToken: [Int64]) -> Entry? {
    guard let entry = entries.withLock({ $0[name] }), entry.request == request, entry.changeToken == changeToken else {
      return nil
    }
    return entry
  }

  func keep(_ entry: Entry, as name: String) {
    entries.withLock { $0[name] = entry }
  }

  /// Deletes the entry with the given name, or all entries if `name` is nil.
  func delete(_ name: String?) {
    entries.withLock { entries in
      if let name { entries[name] = nil } else { entries = [:] }
    }
  }
}

extension PersistentStoreCoordinator {
  /// The cache of the lists that controllers keep under a name.
  var fetchedResultsCache: FetchedResultsCache {
    associatedObjects.object(of: FetchedResultsCache.self) { FetchedResultsCache() }
  }
}
