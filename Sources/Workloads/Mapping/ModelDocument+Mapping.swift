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

extension WorkloadSchema.AttributeType {
  /// Creates the type of an attribute of a model, or nil if an import cannot set such attributes.
  package init?(_ type: ModelDocument.AttributeType) {
    switch type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64: self = .integer64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: self = .transformable
    case .undefined, .objectID, .composite: return nil
    }
  }
}

extension WorkloadSchema.DeleteRule {
  /// Creates the rule of a relationship of a model.
  package init(_ rule: ModelDocument.DeletionRule) {
    switch rule {
    case .nullify: self = .nullify
    case .cascade: self = .cascade
    case .deny: self = .deny
    case .noAction: self = .noAction
    }
  }
}

extension FieldRange.Bound {
  /// Creates the bound or default value of an attribute of a model.
  init?(_ value: ModelDocument.Value?) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .double(number)
    case .decimal(let number): self = .decimal(number)
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .date(let seconds): self = .date(seconds)
    case .string(let text): self = .string(text)
    case .uuid(let uuid): self = .uuid(uuid)
    case .uri, nil: return nil
    }
  }
}

extension FeedMapping.Attribute {
  /// Creates the mapping of an attribute of a model, or nil if an import cannot set the attribute.
  package init?(_ attribute: ModelDocument.Attribute, member: [String]) {
    guard let type = WorkloadSchema.AttributeType(attribute.type) else { return nil }
    self.init(
      name: attribute.name, type: type, member: member, isOptional: attribute.isOptional,
      defaultValue: FieldRange.Bound(attribute.defaultValue),
      range: FieldRange(
        minimum: FieldRange.Bound(attribute.minimum), maximum: FieldRange.Bound(attribute.maximum),
        minimumLength: attribute.minimumLength, maximumLength: attribute.maximumLength,
        regularExpression: attribute.regularExpression),
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
      name: relationship.name, member: member, target: target, isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered, isOptional: relationship.isOptional,
      deleteRule: WorkloadSchema.DeleteRule(relationship.deletionRule), minCount: relationship.minCount,
      inverse: inverse.map {
        WorkloadSchema.Inverse(
          name: $0.name, isToMany: $0.isToMany, isOrdered: $0.isOrdered,
          deleteRule: WorkloadSchema.DeleteRule($0.deletionRule), isOptional: $0.isOptional,
          minCount: $0.isToMany ? $0.minCount : 0)
      },
      isReference: isReference,
      isCarriedByTarget: relationship.isToMany && !relationship.isOrdered && !isReference
        && inverse.map { !$0.isToMany } ?? false)
  }
}
