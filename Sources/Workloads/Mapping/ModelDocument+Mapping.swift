import Foundation

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

  /// Returns the attributes of an entity that an import can set: those with a column whose value is not derived.
  package func importedAttributes(of entity: Entity) -> [Attribute] {
    allAttributes(of: entity).filter {
      !$0.isTransient && !$0.isDerived && WorkloadSchema.AttributeType($0.type) != nil
    }
  }

  /// Returns the names of the attributes in an entity's uniqueness constraints.
  package func uniqueAttributes(of entity: Entity) -> Set<String> {
    Set(lineage(of: entity).flatMap { $0.uniquenessConstraints.flatMap(\.properties) })
  }

  /// Returns the properties that a save requires and that a mapping does not set, as names.
  func missingRequirements(of mapped: FeedMapping.Entity) -> [String] {
    guard let entity = entity(mapped.name) else { return [] }
    let attributes = importedAttributes(of: entity).filter { attribute in
      !attribute.isOptional && attribute.defaultValue == nil
        && !mapped.attributes.contains { $0.name == attribute.name }
    }.map(\.name)
    let relationships = allRelationships(of: entity).filter { relationship in
      relationship.leastCount > 0 && !mapped.relationships.contains { $0.name == relationship.name }
    }.map(\.name)
    return attributes + relationships
  }

  /// Returns the relationship at the other end, or nil if it does not exist.
  package func inverse(of relationship: Relationship) -> Relationship? {
    guard let name = relationship.inverse,
      let destination = entity(relationship.inverseEntity ?? relationship.destination)
    else { return nil }
    return allRelationships(of: destination).first { $0.name == name }
  }
}

extension ModelDocument.Relationship {
  /// The least number of objects with which a save accepts the relationship. A to-many relationship that is not optional
  /// may be empty unless it has a minimum.
  var leastCount: Int { isOptional ? 0 : isToMany ? minCount : 1 }
}

extension FeedMapping.Attribute {
  /// Creates the mapping of an attribute of a model, or nil if an import cannot set the attribute.
  package init?(_ attribute: ModelDocument.Attribute, member: [String]) {
    guard let type = WorkloadSchema.AttributeType(attribute.type) else { return nil }
    self.init(
      name: attribute.name, type: type, member: member, isOptional: attribute.isOptional,
      // Imports do not set the default value of a URI.
      defaultValue: type == .uri ? nil : attribute.defaultValue,
      range: FieldRange(
        minimum: attribute.minimum, maximum: attribute.maximum, minimumLength: attribute.minimumLength,
        maximumLength: attribute.maximumLength, regularExpression: attribute.regularExpression),
      allowsExternalStorage: attribute.allowsExternalStorage)
  }
}

extension FeedMapping.Relationship {
  /// Creates the mapping of a relationship of a model.
  package init(
    _ relationship: ModelDocument.Relationship, in model: ModelDocument, member: [String], target: Int,
    isReference: Bool
  ) {
    let inverse = model.inverse(of: relationship)
    self.init(
      end: RelationshipEnd(relationship), inverse: inverse.map { RelationshipEnd($0) }, member: member, target: target,
      isReference: isReference,
      isCarriedByTarget: relationship.isToMany && !relationship.isOrdered && !isReference
        && inverse.map { !$0.isToMany } ?? false)
  }
}
