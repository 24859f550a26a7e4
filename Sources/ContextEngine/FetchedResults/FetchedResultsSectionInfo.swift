/// A section of a controller's list at the time when it was requested.
public struct FetchedResultsSectionInfo: Sendable {
  /// The name of the section, which is empty if the list has no sections.
  public let name: String
  /// The title of the section in an index of the list. Several sections may have the same title.
  public let indexTitle: String
  /// The positions of the section's objects in the whole list.
  public let range: Range<Int>
  let list: FetchedObjects?

  /// The number of objects in the section, which is 0 for a deleted section.
  public var numberOfObjects: Int { range.count }

  /// The section's objects, whose batches are loaded. They are correct only as long as the list has not changed. Empty
  /// for a deleted section.
  public var objects: [ManagedObject] {
    guard let list, range.upperBound <= list.count else { return [] }
    return range.map { list[$0] }
  }
}
