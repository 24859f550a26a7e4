/// An index that a store keeps over properties of an entity, so that fetches by them do not read the whole table.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One property of an index and the direction in which it is sorted there.
  public struct Element: Hashable, Sendable {
    /// The name of an attribute or a to-one relationship.
    public let property: String
    /// True if the index sorts by the property in ascending order, false if in descending order.
    public let isAscending: Bool

    /// Creates an element for the property with this name.
    public init(_ property: String, isAscending: Bool = true) {
      self.property = property
      self.isAscending = isAscending
    }
  }

  /// The name of the index.
  public let name: String
  /// The properties of the index, in the order in which it sorts by them.
  public let elements: [Element]

  /// Creates an index over the given elements.
  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Creates an index that sorts by all its properties in ascending order.
  public init(_ name: String, of properties: String...) {
    self.init(name, elements: properties.map { Element($0) })
  }
}
