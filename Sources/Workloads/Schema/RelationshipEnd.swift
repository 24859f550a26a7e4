/// One end of a relationship, as a model declares it.
package struct RelationshipEnd: Hashable, Sendable, Codable {
  package var name: String
  package var isToMany = false
  /// True if the order of the targets is part of the value.
  package var isOrdered = false
  /// True if a row may be saved without targets, even if `minCount` is larger.
  package var isOptional = true
  /// The effect of deleting a row on its targets.
  package var deleteRule = ModelDocument.DeletionRule.nullify
  /// The smallest number of targets with which a row may be saved, if the relationship is to-many.
  package var minCount = 0

  /// Returns an end that leads to one row.
  package static func toOne(
    _ name: String, isOptional: Bool = true, deleteRule: ModelDocument.DeletionRule = .nullify
  ) -> RelationshipEnd {
    RelationshipEnd(name: name, isOptional: isOptional, deleteRule: deleteRule)
  }

  /// Returns an end that leads to any number of rows.
  package static func toMany(
    _ name: String, isOrdered: Bool = false, deleteRule: ModelDocument.DeletionRule = .nullify
  ) -> RelationshipEnd {
    RelationshipEnd(name: name, isToMany: true, isOrdered: isOrdered, deleteRule: deleteRule)
  }

  /// Returns true if a save accepts a number of targets.
  package func allows(_ count: Int) -> Bool { count >= (isToMany ? minCount : 1) || count == 0 && isOptional }
}

extension RelationshipEnd {
  /// Creates the end that a model declares.
  package init(_ relationship: ModelDocument.Relationship) {
    self.init(
      name: relationship.name, isToMany: relationship.isToMany,
      isOrdered: relationship.isToMany && relationship.isOrdered, isOptional: relationship.isOptional,
      deleteRule: relationship.deletionRule, minCount: relationship.isToMany ? relationship.minCount : 0)
  }
}
