import ModelReading

extension FeedMapping {
  /// Returns the schema of the workload that a feed's records make.
  ///
  /// - Parameter model: The model whose entities the records fill, or nil if the mapping itself describes them. With a
  ///   model, the schema has all its entities, in its order, and nothing is added to them.
  /// - Returns: The schema.
  /// - Throws: `WorkloadError` if the mapping names an entity that the model does not have.
  package func schema(model: ModelDocument?) throws(WorkloadError) -> WorkloadSchema {
    var described: [WorkloadSchema.Entity] = []
    for entity in entities { described.append(schemaEntity(entity)) }
    for entity in entities {
      for relationship in entity.relationships where relationship.isCarriedByTarget {
        guard let inverse = relationship.inverse else { continue }
        described[relationship.target].links.append(
          WorkloadSchema.Link(
            name: inverse.name, targetEntity: entity.name, deleteRule: inverse.deleteRule,
            isOptional: inverse.isOptional,
            inverse: WorkloadSchema.Inverse(
              name: relationship.name, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
              deleteRule: relationship.deleteRule, isOptional: relationship.isOptional)))
      }
    }
    let hasGroups = entities.count > 1
    guard let model else {
      var schema = WorkloadSchema(entities: described, recordForm: .tagged)
      schema.hasGroups = hasGroups
      return schema
    }
    var schema = WorkloadSchema(
      entities: model.entities.map(WorkloadSchema.Entity.init(unfilled:)), recordForm: .tagged)
    for entity in described {
      guard let index = schema.index(ofEntity: entity.name) else {
        throw WorkloadError(
          .invalidOption,
          "the map names the entity \(entity.name), which the model does not have; it has "
            + model.entities.map(\.name).joined(separator: ", "))
      }
      var filled = entity
      filled.superentity = schema.entities[index].superentity
      filled.isAbstract = schema.entities[index].isAbstract
      filled.declaredColumns = schema.entities[index].declaredColumns
      schema.entities[index] = filled
    }
    schema.giveKeysToSuperentities(of: model)
    schema.model = model
    schema.hasGroups = hasGroups
    return schema
  }

  private func schemaEntity(_ entity: Entity) -> WorkloadSchema.Entity {
    var attributes = entity.attributes.map { attribute in
      WorkloadSchema.Attribute(
        name: attribute.name, type: attribute.type, isOptional: true,
        member: Self.payloadMember(attribute.name, entity),
        hasNumericDates: attribute.type == .date,
        allowsExternalStorage: attribute.allowsExternalStorage)
    }
    switch entity.key {
    case .attributes: break
    case .content(let name): attributes.append(WorkloadSchema.Attribute(name: name, type: .string))
    case .place(let name): attributes.append(WorkloadSchema.Attribute(name: name, type: .integer64))
    }
    let keyIndexes = entity.key.attributeNames.compactMap { name in attributes.firstIndex { $0.name == name } }
    let carried = entity.relationships.filter { !$0.isCarriedByTarget }
    let shown = Self.shownIndexes(attributes, keyIndexes)
    return WorkloadSchema.Entity(
      name: entity.name, attributes: attributes,
      links: carried.filter { !$0.isToMany }.map {
        WorkloadSchema.Link(
          name: $0.name, targetEntity: entities[$0.target].name, deleteRule: $0.deleteRule, isOptional: $0.isOptional,
          inverse: $0.inverse)
      },
      lists: carried.filter(\.isToMany).map {
        WorkloadSchema.List(
          name: $0.name, targetEntity: entities[$0.target].name, isOrdered: $0.isOrdered, deleteRule: $0.deleteRule,
          minCount: $0.isOptional ? 0 : max(1, $0.minCount), inverse: $0.inverse)
      },
      keyIndexes: keyIndexes, sortIndexes: shown.prefix(1).filter { !keyIndexes.contains($0) } + keyIndexes,
      shownIndexes: shown,
      editedAttribute: entity.editedAttribute.map {
        WorkloadSchema.Attribute(name: $0, type: .string, isOptional: true)
      })
  }

  /// Returns the member that holds an attribute in payloads. It is the attribute's name unless that has a meaning there.
  private static func payloadMember(_ name: String, _ entity: Entity) -> String {
    var member = name
    let others = entity.attributes.map(\.name).filter { $0 != name } + entity.relationships.map(\.name)
    while ["type", "deleted", "isFollowed"].contains(member) || others.contains(member) { member += "_" }
    return member
  }

  /// Returns the attributes that a cell shows: a string, which the list is sorted by, and a number or a date. A string
  /// that is called like a title comes before others.
  private static func shownIndexes(_ attributes: [WorkloadSchema.Attribute], _ keyIndexes: [Int]) -> [Int] {
    let others = attributes.indices.filter { !keyIndexes.contains($0) }
    let strings = others.filter { attributes[$0].type == .string }
    let title = ["name", "title", "label", "headline", "text", "firstname", "lastname"].lazy
      .compactMap { name in strings.first { attributes[$0].name.lowercased() == name } }.first
    let number = others.first { index in
      let type = attributes[index].type
      return type.isInteger || type == .double || type == .float || type == .decimal || type == .date
    }
    let shown = [title ?? strings.first, number].compactMap(\.self)
    return shown.isEmpty ? Array(keyIndexes.prefix(1)) : shown
  }
}

extension WorkloadSchema {
  /// Gives the key of each filled entity to the entities that it inherits from, as far as they have its attributes.
  /// Rows can then be found by key among all entities that inherit from such an entity.
  fileprivate mutating func giveKeysToSuperentities(of model: ModelDocument) {
    for index in entities.indices where !entities[index].keyIndexes.isEmpty {
      let key = entities[index].keyAttributes
      for ancestor in lineage(of: index).dropFirst() where entities[ancestor].keyIndexes.isEmpty {
        let names = lineage(of: ancestor).flatMap { model.entities[$0].attributes.map(\.name) }
        guard key.allSatisfy({ names.contains($0.name) }) else { break }
        entities[ancestor].attributes = key
        entities[ancestor].keyIndexes = Array(key.indices)
        entities[ancestor].sortIndexes = Array(key.indices)
        entities[ancestor].shownIndexes = [0]
        entities[ancestor].isFilled = false
      }
    }
  }
}

extension WorkloadSchema.Entity {
  /// Creates an entity of a model that no record fills yet.
  init(unfilled entity: ModelDocument.Entity) {
    self.init(
      name: entity.name, superentity: entity.parent, isAbstract: entity.isAbstract, attributes: [], keyIndexes: [],
      sortIndexes: [], shownIndexes: [], editedAttribute: nil,
      declaredColumns: entity.attributes.filter { !$0.isTransient }.map(\.name)
        + entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map(\.name))
  }
}
