/// A controller's list as plain values: the names of the sections and the IDs of the objects in each.
public struct FetchedResultsSnapshot: Hashable, Sendable {
  /// A section of a snapshot.
  public struct Section: Hashable, Sendable {
    /// The name of the section, which is empty if the list has no sections.
    public let identifier: String
    /// The IDs of the section's objects, in the order of the list.
    public let itemIdentifiers: [ObjectID]
  }

  /// The sections, in the order of the list.
  public let sections: [Section]
  /// The objects of the list that the event changed, moved ones included, in the order of their reports. Empty after a
  /// fetch.
  public let reloadedItemIdentifiers: [ObjectID]

  /// The names of the sections, in the order of the list. O(sections).
  public var sectionIdentifiers: [String] { sections.map(\.identifier) }
  /// The IDs of all objects, in the order of the list. O(objects).
  public var itemIdentifiers: [ObjectID] { sections.flatMap(\.itemIdentifiers) }
  /// The number of objects in the list. O(sections).
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.itemIdentifiers.count } }

  /// Returns the objects of a section, or an empty array if there is no section with that name.
  public func itemIdentifiers(inSection identifier: String) -> [ObjectID] {
    sections.first { $0.identifier == identifier }?.itemIdentifiers ?? []
  }
}
