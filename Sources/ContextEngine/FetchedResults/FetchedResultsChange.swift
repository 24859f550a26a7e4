/// A change of one object of a list. Old index paths refer to the list before the event, new ones to the list after it.
public enum FetchedResultsChange: Hashable, Sendable {
  /// The object was inserted into the list.
  case insert(at: FetchedIndexPath)
  /// The object was deleted from the list.
  case delete(from: FetchedIndexPath)
  /// The object's sort keys changed and moved it.
  case move(from: FetchedIndexPath, to: FetchedIndexPath)
  /// The object changed and kept its place among the others. The two index paths differ if objects were inserted or
  /// deleted before it.
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

/// A change of a section of a list. Old indexes refer to the list before the event, new ones to the list after it.
public enum FetchedResultsSectionChange: Hashable, Sendable {
  /// The section was inserted together with its first object.
  case insert(at: Int)
  /// The section was deleted together with its last object.
  case delete(from: Int)
}
