/// An index that a store keeps over properties of an entity, so that fetches by them do not read the whole table.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One property of an index and the direction in which it is sorted there.
  public struct Element: Hashable, Sendable {
    /// The name of an attribute or a to-one relationship.
    public let property: String
    public let isAscending: Bool

    public init(_ property: String, isAscending: Bool = true) {
      self.property = property
      self.isAscending = isAscending
    }
  }

  public let name: String
  /// The properties of the index, in the order in which it sorts by them.
  public let elements: [Element]

  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Creates an index that sorts by all its properties in ascending order.
  public init(_ name: String, of properties: String...) {
    self.init(name, elements: properties.map { Element($0) })
  }
}
