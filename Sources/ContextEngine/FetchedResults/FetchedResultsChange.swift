/// How one object of a list changed. Old places count in the list before the event, new ones in the list after it.
public enum FetchedResultsChange: Hashable, Sendable {
  case insert(at: FetchedIndexPath)
  case delete(from: FetchedIndexPath)
  /// Its sort keys moved it; implies that it changed.
  case move(from: FetchedIndexPath, to: FetchedIndexPath)
  /// The object changed and kept its place among the others. The two index paths differ if objects were inserted or deleted
  /// before it.
  case update(from: FetchedIndexPath, to: FetchedIndexPath)

  /// Returns the object's place in the list before the event, or nil if it was inserted.
  public var indexPath: FetchedIndexPath? {
    switch self {
    case .insert: nil
    case .delete(let old), .move(let old, _), .update(let old, _): old
    }
  }

  /// Returns the object's place in the list after the event, or nil if it was deleted.
  public var newIndexPath: FetchedIndexPath? {
    switch self {
    case .delete: nil
    case .insert(let new), .move(_, let new), .update(_, let new): new
    }
  }
}

/// How a section of a list changed. Old indexes count in the list before the event, new ones in the list after it.
public enum FetchedResultsSectionChange: Hashable, Sendable {
  /// Its first object came.
  case insert(at: Int)
  /// Its last object went.
  case delete(from: Int)
}
