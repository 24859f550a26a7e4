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

    /// True if a store keeps the value of the slot.
    package var isStored: Bool {
      if case .attribute(let attribute) = self { !attribute.isTransient } else { true }
    }

    /// True if the model does not declare the property of the slot.
    package var isHidden: Bool {
      if case .toOne(let relationship) = self { relationship.isHidden } else { false }
    }
  }

  /// A to-one relationship with its destination and its inverse resolved.
  package struct ToOne: Sendable {
    package let name: String
    /// The index of the destination entity.
    package let destination: Int
    /// The indexes of the entities that the related object can have: the destination and all entities that inherit from
    /// it.
    package let destinations: [Int]
    /// The path of the inverse relationship in the destination, or nil if the relationship has none.
    package let inverse: PropertyPath?
    package let deleteRule: DeleteRule
    package let isOptional: Bool
    /// True if the inverse is to-many and ordered. A store then keeps an order column in addition to the key column.
    package let hasOrderedInverse: Bool
    /// True if the model does not declare the relationship: it is the hidden inverse of a to-many relationship that has
    /// none, and its name is the name of that relationship.
    package let isHidden: Bool

    /// True if the related object can be of several entities, so that a store must record its entity for each row.
    package var isPolymorphic: Bool { destinations.count > 1 }

    /// True if a deletion changes or deletes the related object.
    var reachesOther: Bool { deleteRule == .cascade || deleteRule == .nullify && inverse != nil }
  }

  /// A to-many relationship with its destination and its inverse resolved.
  package struct ToMany: Sendable {
    package let name: String
    package let destination: Int
    /// The path of the inverse relationship: a to-one, whose key column is in the destination's table, or another
    /// to-many. If the model declares no inverse, it is a hidden to-one.
    package let inverse: PropertyPath
    package let isOrdered: Bool
    package let deleteRule: DeleteRule
    package let isOptional: Bool
    package let minCount: Int
    package let maxCount: Int

    /// True if the inverse is to-many too. A store then keeps the pairs in a join table.
    package var isManyToMany: Bool { inverse.isToMany }

    /// True if the keys at the other end describe the relationship completely, without a join table or an order.
    package var followsKeys: Bool { !isManyToMany && !isOrdered }

    /// Returns a relationship that leads back along a to-one relationship without an inverse. It is for requests to a
    /// store; no object has it.
    static func back(along path: PropertyPath, _ relationship: ToOne) -> ToMany {
      ToMany(
        name: relationship.name, destination: Int(path.entity), inverse: path, isOrdered: false, deleteRule: .noAction,
        isOptional: true, minCount: 0, maxCount: 0)
    }

    var hasCountBounds: Bool { minCount > 0 || maxCount > 0 }
  }
}
