extension ModelDocument {
  /// Returns an entity, followed by those that it inherits from.
  package func lineage(of entity: Entity) -> [Entity] {
    var lineage = [entity]
    while let parent = lineage.last?.parent.flatMap(self.entity), lineage.count <= entities.count {
      lineage.append(parent)
    }
    return lineage
  }

  /// Returns all attributes of an entity, inherited ones first.
  package func allAttributes(of entity: Entity) -> [Attribute] {
    lineage(of: entity).reversed().flatMap(\.attributes)
  }

  /// Returns all relationships of an entity that an import can set, inherited ones first. A transient relationship has no
  /// column and is not among them.
  package func allRelationships(of entity: Entity) -> [Relationship] {
    lineage(of: entity).reversed().flatMap(\.relationships).filter { !$0.isTransient }
  }

  /// Returns true if an entity is the one of a name or inherits from it.
  package func isKind(_ entity: Entity, of name: String) -> Bool {
    lineage(of: entity).contains { $0.name == name }
  }

  /// Returns the names of the attributes in an entity's uniqueness constraints.
  package func uniqueAttributes(of entity: Entity) -> Set<String> {
    Set(lineage(of: entity).flatMap { $0.uniquenessConstraints.flatMap(\.properties) })
  }

  /// Returns the relationship at the other end, or nil if it does not exist.
  package func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverse,
      let destination = entity(relationship.inverseEntity ?? relationship.destination)
    else { return nil }
    return allRelationships(of: destination).first { $0.name == name }
  }
}

extension ModelDocument.Entity {
  /// The names of the entity's own attributes and to-one relationships for which a store has columns, attributes first.
  package var storedProperties: [String] {
    attributes.filter { !$0.isTransient }.map(\.name)
      + relationships.filter { !$0.isToMany && !$0.isTransient }.map(\.name)
  }
}

extension ModelDocument.Relationship {
  /// The least number of objects with which a save accepts the relationship. A to-many relationship that is not optional
  /// may be empty unless it has a minimum.
  var leastCount: Int { isOptional ? 0 : isToMany ? minCount : 1 }
}
