/// A relationship of an entity, as a model declares it.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name of the relationship, which must be unique among the properties of its entity.
  public let name: String
  /// The name of the destination entity.
  public let destination: String
  /// The name of the inverse relationship, or nil if the relationship has none.
  ///
  /// Without an inverse, a to-one relationship changes nothing at its other end, and it leads to a missing object after
  /// the related object was deleted. An object is in at most one relationship of the same to-many relationship without
  /// an inverse, because the key of its owner is in its own row, as in Core Data's SQLite stores.
  public let inverse: String?
  /// True if the relationship may lead to several objects, false if it leads to one object at most.
  public let isToMany: Bool
  /// True if the members of a to-many relationship are ordered; a store keeps their order.
  public let isOrdered: Bool
  /// The effect that the deletion of an object has on the objects at the other end.
  public let deleteRule: DeleteRule
  /// True if the relationship may be empty. Otherwise a save of an object without a related object fails with 1570. If
  /// the relationship is to-many, the save fails with 1580 if there are fewer objects than `minCount`, which may be 0.
  public let isOptional: Bool
  /// The least number of objects that a to-many relationship may lead to, or 0 if there is no lower bound. An optional
  /// relationship may also be empty.
  public let minCount: Int
  /// The greatest number of objects that a to-many relationship may lead to, or 0 if there is no upper bound.
  public let maxCount: Int

  /// Creates a relationship, without an inverse if `inverse` is nil. It is an optional to-one relationship with the
  /// delete rule *nullify* unless the arguments say otherwise.
  public init(
    _ name: String, to destination: String, inverse: String?, isToMany: Bool = false, isOrdered: Bool = false,
    deleteRule: DeleteRule = .nullify,
    isOptional: Bool = true, minCount: Int = 0, maxCount: Int = 0
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.isOptional = isOptional
    self.minCount = minCount
    self.maxCount = maxCount
  }
}

/// The effects that the deletion of an object has on the objects at the other end of a relationship.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// Removes the deleted object from the inverse relationships.
  case nullify
  /// Deletes the related objects too.
  case cascade
  /// Leaves the related objects and the inverse relationships unchanged. They refer to an object that no longer exists,
  /// unless they are set anew.
  case noAction
  /// Denies the deletion as long as there are related objects that are not deleted too: the save fails with 1600.
  case deny

  /// True if a deletion changes or deletes the related objects.
  var reachesOthers: Bool { self == .nullify || self == .cascade }
}
