/// A section of a controller's list as it was when it was asked for.
public struct FetchedResultsSectionInfo: Sendable {
  public let name: String
  /// What an index of the list shows for the section; several sections may have the same.
  public let indexTitle: String
  /// Where its objects stand in the whole list.
  public let range: Range<Int>
  let list: FetchedObjects?

  public var numberOfObjects: Int { range.count }

  /// The section's objects, as long as the list has not changed; none of a section that is gone. Loads their batches.
  public var objects: [ManagedObject] {
    guard let list, range.upperBound <= list.count else { return [] }
    return range.map { list[$0] }
  }
}
