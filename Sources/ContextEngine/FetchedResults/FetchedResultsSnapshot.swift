/// A controller's list as plain values: the names of the sections and the IDs of the objects in each.
public struct FetchedResultsSnapshot: Hashable, Sendable {
  public struct Section: Hashable, Sendable {
    public let identifier: String
    public let itemIdentifiers: [ObjectID]
  }

  public let sections: [Section]
  /// The objects of the list that the event changed, moved ones included, in the order of their reports. Empty after a
  /// fetch.
  public let reloadedItemIdentifiers: [ObjectID]

  public var sectionIdentifiers: [String] { sections.map(\.identifier) }
  public var itemIdentifiers: [ObjectID] { sections.flatMap(\.itemIdentifiers) }
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.itemIdentifiers.count } }

  /// Returns the objects of a section, or an empty array if there is no section with that name.
  public func itemIdentifiers(inSection identifier: String) -> [ObjectID] {
    sections.first { $0.identifier == identifier }?.itemIdentifiers ?? []
  }
}
