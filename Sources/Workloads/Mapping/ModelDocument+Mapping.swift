extension ModelDocument {
  /// Returns the attributes of an entity that an import can set: those with a column whose value is not derived.
  package func importedAttributes(of entity: Entity) -> [Attribute] {
    allAttributes(of: entity).filter {
      !$0.isTransient && !$0.isDerived && WorkloadSchema.AttributeType($0.type) != nil
    }
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
