extension EntityDescription {
  /// One slot of a row.
  package enum Slot: Sendable {
    case attribute(AttributeDescription)
    case toOne(ToOne)

    package var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .toOne(let relationship): relationship.name
      }
    }

    /// Whether a store keeps what the slot holds.
    package var isStored: Bool {
      if case .attribute(let attribute) = self { !attribute.isTransient } else { true }
    }
  }

  /// A to-one relationship with its ends resolved.
  package struct ToOne: Sendable {
    package let name: String
    /// The index of the entity that it leads to.
    package let destination: Int
    /// The indexes of the entities that what it leads to may be of: the destination, and all that inherit from it.
    package let destinations: [Int]
    /// Where the relationship back lies in the destination.
    package let inverse: PropertyPath
    package let deleteRule: DeleteRule
    package let isOptional: Bool
    /// Whether the relationship back is to-many and ordered: a store keeps the place beside the key then.
    package let hasOrderedInverse: Bool

    /// Whether a store has to say which entity a row's object is of, since it could be of several.
    package var isPolymorphic: Bool { destinations.count > 1 }
  }

  /// A to-many relationship with its ends resolved.
  package struct ToMany: Sendable {
    package let name: String
    package let destination: Int
    /// The relationship back: a to-one, whose key column is in the destination's table, or another to-many.
    package let inverse: PropertyPath
    package let isOrdered: Bool
    package let deleteRule: DeleteRule
    package let isOptional: Bool
    package let minCount: Int
    package let maxCount: Int

    /// Whether the relationship back is to-many too: a store keeps the pairs in a join table then.
    package var isManyToMany: Bool { inverse.isToMany }

    /// Whether the keys at the other end say all there is to say: no join table, no order.
    package var followsKeys: Bool { !isManyToMany && !isOrdered }

    var hasCountBounds: Bool { minCount > 0 || maxCount > 0 }
  }
}
