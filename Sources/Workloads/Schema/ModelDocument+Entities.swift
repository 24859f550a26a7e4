import MachineCore

extension WorkloadSchema {
  /// Returns the model of which a store is made, with an index over the key of each entity if the user gave no model.
  package var modelWithKeyIndexes: ModelDocument {
    guard !isModelGiven else { return model }
    var indexed = model
    for (place, entity) in entities.enumerated() {
      let key = Set(entity.keyAttributes.map(\.name))
      for attribute in indexed.entities[place].attributes.indices
      where key.contains(indexed.entities[place].attributes[attribute].name) {
        indexed.entities[place].attributes[attribute].isIndexed = true
      }
    }
    return indexed
  }
}

extension ModelDocument {
  /// Creates the model of entities that need no model of the user's. An entity has its own properties, and the
  /// relationships that mirror those of other entities.
  init(describedBy entities: [WorkloadSchema.Entity]) {
    self.init(entities: entities.map { Self.declaration(of: $0, among: entities) })
  }

  private static func declaration(
    of entity: WorkloadSchema.Entity, among entities: [WorkloadSchema.Entity]
  ) -> Entity {
    let inherited = entities.first { $0.name == entity.superentity }
    let inheritedNames = Set(
      (inherited?.allAttributes.map(\.name) ?? []) + (inherited?.relationships.map(\.name) ?? []))
    let own = entity.relationships.filter { !inheritedNames.contains($0.name) }.map {
      Relationship($0.end, to: $0.targetEntity, inverse: $0.inverse?.name)
    }
    return Entity(
      name: entity.name, parent: entity.superentity, isAbstract: entity.isAbstract,
      attributes: entity.allAttributes.filter { !inheritedNames.contains($0.name) }.map { attribute in
        Attribute(
          name: attribute.name, type: AttributeType(attribute.type), isOptional: attribute.isOptional,
          allowsExternalStorage: attribute.allowsExternalStorage,
          valueTransformerName: attribute.type == .transformable ? "Bytes" : nil)
      }, relationships: own + mirrors(of: entity, among: entities, besides: own.map(\.name)))
  }

  /// Returns the relationships of an entity that mirror the links and lists that lead to it.
  private static func mirrors(
    of target: WorkloadSchema.Entity, among entities: [WorkloadSchema.Entity], besides names: [String]
  ) -> [Relationship] {
    var known = Set(names)
    var mirrors: [Relationship] = []
    for entity in entities {
      let inherited = entities.first { $0.name == entity.superentity }?.relationships.map(\.name) ?? []
      for relationship in entity.relationships
      where relationship.targetEntity == target.name && !inherited.contains(relationship.name) {
        guard let inverse = relationship.inverse, known.insert(inverse.name).inserted else { continue }
        mirrors.append(Relationship(inverse, to: entity.name, inverse: relationship.name))
      }
    }
    return mirrors
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

extension ModelDocument.AttributeType {
  /// Creates the type for the one of a workload.
  fileprivate init(_ type: WorkloadSchema.AttributeType) {
    guard let type = Self(rawValue: type.rawValue) else { trapMisuse("a model has no type \(type.rawValue)") }
    self = type
  }
}
