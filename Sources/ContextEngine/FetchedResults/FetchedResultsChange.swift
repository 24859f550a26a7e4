/// How one object of a list changed. Old places count in the list before the event, new ones in the list after it.
public enum FetchedResultsChange: Hashable, Sendable {
  case insert(at: FetchedIndexPath)
  case delete(from: FetchedIndexPath)
  /// Its sort keys moved it; implies that it changed.
  case move(from: FetchedIndexPath, to: FetchedIndexPath)
  /// It changed and stayed in its place.
  case update(at: FetchedIndexPath)
}

/// How a section of a list changed. Old indexes count in the list before the event, new ones in the list after it.
public enum FetchedResultsSectionChange: Hashable, Sendable {
  /// Its first object came.
  case insert(at: Int)
  /// Its last object went.
  case delete(from: Int)
}
