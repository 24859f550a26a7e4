extension ModelDocument {
  /// Creates the model that a mapping describes by itself. An entity has its own properties, and the relationships that
  /// mirror those that records set.
  init(describedBy mapping: FeedMapping) {
    let set = mapping.entities.indices.map { mapping.relationships(ofRecords: $0) }
    self.init(
      entities: mapping.entities.enumerated().map { number, mapped in
        var attributes =
          mapped.attributes.map(\.declaration)
          + [mapped.key.addedDeclaration, mapped.editedDeclaration].compactMap(\.self)
        for place in attributes.indices where attributes[place].type == .value(.transformable) {
          attributes[place].valueTransformerName = "Bytes"
        }
        let own = set[number].map { Relationship($0.end, to: $0.targetEntity, inverse: $0.inverse?.name) }
        var known = Set(own.map(\.name))
        let mirrors = zip(mapping.entities, set).flatMap { source, relationships in
          relationships.compactMap { relationship -> Relationship? in
            guard relationship.targetEntity == mapped.name, let inverse = relationship.inverse,
              known.insert(inverse.name).inserted
            else { return nil }
            return Relationship(inverse, to: source.name, inverse: relationship.name)
          }
        }
        return Entity(name: mapped.name, attributes: attributes, relationships: own + mirrors)
      })
  }
}

extension ModelDocument.Relationship {
  /// Creates the relationship with an end.
  fileprivate init(_ end: RelationshipEnd, to destination: String, inverse: String?) {
    self.init(
      name: end.name, destination: destination, inverse: inverse, isOptional: end.isOptional, isToMany: end.isToMany,
      isOrdered: end.isOrdered, minCount: end.minCount, deletionRule: end.deleteRule)
  }
}

extension ModelDocument {
  /// Returns the attributes of an entity that an import can set: those with a column whose value is not derived.
  package func importedAttributes(of entity: Entity) -> [Attribute] {
    allAttributes(of: entity).filter { !$0.isTransient && !$0.isDerived && $0.type.valueType != nil }
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
}

extension FeedMapping.Attribute {
  /// Creates the mapping of an attribute of a model, or nil if an import cannot set the attribute.
  package init?(_ attribute: ModelDocument.Attribute, member: [String]) {
    guard let type = attribute.type.valueType else { return nil }
    self.init(declaration: attribute, member: member)
    // Imports do not set the default value of a URI.
    if type == .uri { declaration.defaultValue = nil }
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
