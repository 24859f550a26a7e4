/// A relationship of an entity as a model declares it.
public struct RelationshipDescription: Hashable, Sendable {
  public let name: String
  /// The name of the entity that it leads to.
  public let destination: String
  /// The name of the relationship back; every relationship has one.
  public let inverse: String
  public let isToMany: Bool
  public let deleteRule: DeleteRule

  public init(
    _ name: String, to destination: String, inverse: String, isToMany: Bool = false, deleteRule: DeleteRule = .nullify
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.deleteRule = deleteRule
  }
}

/// What deleting an object does to those at the other end of a relationship.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// Takes the object out of the inverse relationships.
  case nullify
  /// Deletes them too.
  case cascade
}
