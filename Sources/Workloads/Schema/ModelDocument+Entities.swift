import MachineCore

extension WorkloadSchema {
  /// Returns the model of which a store of the workload is made: the user's, or one of the schema's own entities.
  ///
  /// - Parameter indexesKeys: True if a store keeps an index over the key of each of the schema's own entities.
  /// - Returns: The model.
  package func document(indexesKeys: Bool = false) -> ModelDocument {
    model ?? ModelDocument(entities: entities.indices.map { declaration(of: $0, indexesKey: indexesKeys) })
  }

  /// Returns the names of the attributes in an entity's uniqueness constraints.
  func uniqueAttributes(of entity: Int) -> Set<String> {
    model.map { $0.uniqueAttributes(of: $0.entities[entity]) } ?? []
  }

  /// Returns the declaration of an entity of a schema without a model of its own: its own properties, and the
  /// relationships that mirror those of other entities.
  private func declaration(of index: Int, indexesKey: Bool) -> ModelDocument.Entity {
    let entity = entities[index]
    let inherited = superentity(of: index).map { entities[$0] }
    let inheritedNames = Set(
      (inherited?.allAttributes.map(\.name) ?? []) + (inherited?.relationships.map(\.name) ?? []))
    let attributes = entity.allAttributes.enumerated().filter { !inheritedNames.contains($1.name) }
    let own = entity.relationships.filter { !inheritedNames.contains($0.name) }.map {
      ModelDocument.Relationship($0.end, to: $0.targetEntity, inverse: $0.inverse?.name)
    }
    return ModelDocument.Entity(
      name: entity.name, parent: entity.superentity, isAbstract: entity.isAbstract,
      attributes: attributes.map { place, attribute in
        ModelDocument.Attribute(
          name: attribute.name, type: ModelDocument.AttributeType(attribute.type), isOptional: attribute.isOptional,
          allowsExternalStorage: attribute.allowsExternalStorage,
          isIndexed: indexesKey && entity.keyIndexes.contains(place),
          valueTransformerName: attribute.type == .transformable ? "Bytes" : nil)
      }, relationships: own + mirrors(of: index, besides: own.map(\.name)))
  }

  /// Returns the relationships of an entity that mirror the links and lists that lead to it.
  private func mirrors(of index: Int, besides names: [String]) -> [ModelDocument.Relationship] {
    var known = Set(names)
    var mirrors: [ModelDocument.Relationship] = []
    for (source, entity) in entities.enumerated() {
      let inherited = superentity(of: source).map { entities[$0].relationships.map(\.name) } ?? []
      for relationship in entity.relationships
      where relationship.targetEntity == entities[index].name && !inherited.contains(relationship.name) {
        guard let inverse = relationship.inverse, known.insert(inverse.name).inserted else { continue }
        mirrors.append(ModelDocument.Relationship(inverse, to: entity.name, inverse: relationship.name))
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
