extension FeedMapping {
  /// Makes a mapping of a whole model, for generated rows. Each entity with an attribute that can be a key has one; each
  /// pair of relationships is carried by one of its two ends.
  ///
  /// - Returns: The mapping, the names of the entities that have no attribute that can be a key, and the relationships
  ///   that require rows of such entities, as `Entity.relationship`. Entities with such relationships are not mapped.
  package static func generated(
    _ model: ModelDocument
  ) -> (mapping: FeedMapping, withoutKey: [String], unsatisfied: [String]) {
    var filled = model.entities.filter { !$0.isAbstract && model.generatedKey(of: $0) != nil }
    var unsatisfied: [String] = []
    while let place = filled.indices.first(where: { model.unsatisfied(filled[$0], by: filled) != nil }) {
      let entity = filled[place]
      unsatisfied.append("\(entity.name).\(model.unsatisfied(entity, by: filled) ?? "")")
      filled.remove(at: place)
    }
    var entities = filled.map { entity in
      let edited = model.editedAttribute(of: entity)
      return Entity(
        name: entity.name, key: .attributes(model.generatedKey(of: entity) ?? []),
        attributes: model.importedAttributes(of: entity).filter { $0.name != edited }.compactMap {
          Attribute($0, member: [$0.name])
        }, editedAttribute: edited)
    }
    for (number, entity) in filled.enumerated() {
      for relationship in model.allRelationships(of: entity) where model.carries(relationship, of: entity) {
        let target = filled.firstIndex { model.isKind($0, of: relationship.destination) }
        guard let target else { continue }
        entities[number].relationships.append(
          Relationship(relationship, in: model, member: [relationship.name], target: target, isReference: true))
      }
    }
    let withoutKey = model.entities.filter { !$0.isAbstract && model.generatedKey(of: $0) == nil }.map(\.name)
    return (FeedMapping(shape: FeedShape(.list), entities: entities), withoutKey, unsatisfied)
  }
}

extension ModelDocument {
  /// Returns the name of the first required relationship of an entity whose destination has no rows, or nil if all
  /// destinations have rows. The given entities have rows.
  fileprivate func unsatisfied(_ entity: Entity, by filled: [Entity]) -> String? {
    allRelationships(of: entity).first { relationship in
      relationship.leastCount > 0 && !filled.contains { isKind($0, of: relationship.destination) }
    }?.name
  }

  /// Returns the attributes that distinguish generated rows: a uniqueness constraint, or else an attribute that is
  /// called like a key or can hold a different value in each row, or else the one with the most values. Returns nil if
  /// there is none.
  func generatedKey(of entity: Entity) -> [String]? {
    let attributes = importedAttributes(of: entity).filter { $0.type.valueType?.canBeInKey == true }
    let constraints = lineage(of: entity).reversed().flatMap { $0.uniquenessConstraints.map(\.properties) }
    if let constraint = constraints.first(where: { names in
      names.allSatisfy { name in attributes.contains { $0.name == name } }
    }) {
      return constraint
    }
    func isKeyType(_ attribute: Attribute) -> Bool {
      attribute.regularExpression == nil
        && ([.uuid, .integer64, .integer32].contains(attribute.type.valueType)
          || attribute.type.valueType == .string && attribute.maximumLength ?? 100 >= 10)
    }
    // An attribute of the topmost entity identifies rows of all entities that inherit from it.
    let candidates = attributes.filter(isKeyType).filter { $0.minimum == nil && $0.maximum == nil }
    let named = [
      "id", "uuid", "guid", "identifier", "remoteid", "serverid", "remoteidentifier", "key", "code", "name", "title",
    ]
    let best = named.lazy.compactMap { name in candidates.first { $0.name.lowercased() == name } }.first
    let date = attributes.first {
      [.date, .double].contains($0.type.valueType) && $0.minimum == nil && $0.maximum == nil
    }
    let patterned = attributes.first { attribute in
      guard attribute.type.valueType == .string, let mapped = FeedMapping.Attribute(attribute, member: []) else {
        return false
      }
      // The pattern must have a text for each row.
      return PatternText(mapped.declaration)?.text(10_000_000)?.rest == 0
    }
    return (best ?? candidates.first ?? patterned ?? date ?? widest(of: attributes)).map { [$0.name] }
  }

  /// Returns the first attribute with the most different values, or nil if all have two values at most.
  private func widest(of attributes: [Attribute]) -> Attribute? {
    var widest: (attribute: Attribute, count: Int64)?
    for attribute in attributes where attribute.regularExpression == nil {
      guard let mapped = FeedMapping.Attribute(attribute, member: []) else { continue }
      let count = DistinctValues(mapped).count ?? .max
      if count > widest?.count ?? 2 { widest = (attribute, count) }
    }
    return widest?.attribute
  }

  /// Returns the optional string attribute that a user edits in generated rows, or nil if it does not exist.
  func editedAttribute(of entity: Entity) -> String? {
    let key = Set(generatedKey(of: entity) ?? []).union(uniqueAttributes(of: entity))
    let free = importedAttributes(of: entity).filter { attribute in
      attribute.type.valueType == .string && attribute.isOptional && attribute.defaultValue == nil
        && attribute.regularExpression == nil
        && attribute.minimumLength ?? 0 <= 1 && attribute.maximumLength ?? 100 >= 12 && !key.contains(attribute.name)
    }
    let names = ["note", "notes", "comment", "comments", "remark", "memo", "annotation", "text", "detail", "details"]
    return (names.lazy.compactMap { name in free.first { $0.name.lowercased() == name } }.first ?? free.last)?.name
  }

  /// Returns true if rows of the entity that declares a relationship carry it, false if rows of the other end do.
  ///
  /// The to-one end of a pair carries it unless the to-many end is ordered. Of two equal ends, the ordered one does, or
  /// the one that comes first by entity and name.
  func carries(_ relationship: Relationship, of entity: Entity) -> Bool {
    guard let inverse = inverse(of: relationship) else { return true }
    if relationship.isToMany != inverse.isToMany {
      let toMany = relationship.isToMany ? relationship : inverse
      return toMany.isOrdered == relationship.isToMany
    }
    if relationship.isOrdered != inverse.isOrdered { return relationship.isOrdered }
    let own = lineage(of: entity).first { $0.relationships.contains { $0.name == relationship.name } } ?? entity
    let other = relationship.inverseEntity ?? relationship.destination
    return (own.name, relationship.name) <= (other, inverse.name)
  }
}
