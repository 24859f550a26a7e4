/// A controller's list as plain values: the names of the sections and the IDs of the objects in each.
public struct FetchedResultsSnapshot: Hashable, Sendable {
  public struct Section: Hashable, Sendable {
    public let identifier: String
    public let itemIdentifiers: [ObjectID]
  }

  public let sections: [Section]
  /// Objects of the list that the event changed, moved ones included, in their order of report; none after a fetch.
  public let reloadedItemIdentifiers: [ObjectID]

  public var sectionIdentifiers: [String] { sections.map(\.identifier) }
  public var itemIdentifiers: [ObjectID] { sections.flatMap(\.itemIdentifiers) }
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.itemIdentifiers.count } }

  /// The objects of a section; none where there is no section of that name.
  public func itemIdentifiers(inSection identifier: String) -> [ObjectID] {
    sections.first { $0.identifier == identifier }?.itemIdentifiers ?? []
  }
}
