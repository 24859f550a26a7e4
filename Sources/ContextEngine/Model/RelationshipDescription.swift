/// A relationship of an entity as a model declares it.
public struct RelationshipDescription: Hashable, Sendable {
  public let name: String
  /// The name of the entity that it leads to.
  public let destination: String
  /// The name of the relationship back; every relationship has one.
  public let inverse: String
  public let isToMany: Bool
  /// Whether the members of a to-many relationship have an order of their own, which a store keeps.
  public let isOrdered: Bool
  public let deleteRule: DeleteRule
  /// Whether it may lead nowhere; otherwise a save of an object for which it does fails with 1570, or 1580 if to-many.
  public let isOptional: Bool
  /// How many objects a to-many relationship has to lead to, unless it is optional and empty, and at most may; 0 = no bound.
  public let minCount: Int
  public let maxCount: Int

  public init(
    _ name: String, to destination: String, inverse: String, isToMany: Bool = false, isOrdered: Bool = false,
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

/// What deleting an object does to those at the other end of a relationship.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// Takes the object out of the inverse relationships.
  case nullify
  /// Deletes them too.
  case cascade
  /// Leaves them and the relationship back as they are: it leads to an object that is gone, unless it is set anew.
  case noAction
  /// Forbids the deletion, as long as there are any that are not deleted too: the save fails with 1600.
  case deny

  /// Whether a deletion changes or deletes what the relationship leads to.
  var reachesOthers: Bool { self == .nullify || self == .cascade }
}
