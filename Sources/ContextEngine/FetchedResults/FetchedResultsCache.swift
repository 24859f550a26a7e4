import MachineCore

/// Lists that controllers with a cache name have fetched, with their sections, kept by a coordinator for the next
/// controller of that name.
///
/// An entry serves as long as it was made for the same request and nothing has been written to the store since, by
/// anybody. Thread-safe.
final class FetchedResultsCache: Sendable {
  struct Entry: Sendable {
    var request: Request
    var changeToken: [Int64]
    var objectIDs: [ObjectID]
    var sections: SectionTable
  }

  /// What of a controller decides its list.
  struct Request: Hashable, Sendable {
    var entity: Int
    var includesSubentities: Bool
    var fetchLimit: Int
    var fetchOffset: Int
    var predicate: Predicate?
    var sortDescriptors: [SortDescriptor]
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

  /// The entry of that name, if it still holds.
  func entry(_ name: String, for request: Request, changeToken: [Int64]) -> Entry? {
    guard let entry = entries.withLock({ $0[name] }), entry.request == request, entry.changeToken == changeToken else {
      return nil
    }
    return entry
  }

  func keep(_ entry: Entry, as name: String) {
    entries.withLock { $0[name] = entry }
  }

  /// Deletes the entry of that name; nil = all.
  func delete(_ name: String?) {
    entries.withLock { entries in
      if let name { entries[name] = nil } else { entries = [:] }
    }
  }
}

extension PersistentStoreCoordinator {
  /// The lists that controllers keep under a name.
  var fetchedResultsCache: FetchedResultsCache {
    associatedObjects.object(of: FetchedResultsCache.self) { FetchedResultsCache() }
  }
}
