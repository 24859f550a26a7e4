extension ModelMatching {
  /// Maps a path of members with nested objects to a relationship. `path` leads to the objects that contain them.
  mutating func nest(
    _ own: [String], kind: Int, to relationship: ModelDocument.Relationship, number: Int, path: [String]
  ) -> Bool {
    if let known = entities[number].relationships.first(where: { $0.name == relationship.name }) {
      // Other objects of the same entity have the member too.
      return known.member == own && !known.isReference
    }
    guard let destination = bestEntity(for: kind, of: relationship.destination) else { return false }
    // The place is reserved first, because the nested objects may lead back to this entity.
    let place = entities[number].relationships.count
    entities[number].relationships.append(
      FeedMapping.Relationship(relationship, in: model, member: own, target: 0, isReference: false))
    let target = add(kind: kind, destination, from: relationship, path: path + own)
    entities[number].relationships[place].target = target
    entities[number].relationships[place].keyMember = structure.kinds[kind].keyMember
    return true
  }

  /// Returns the entity that fits nested objects best among a destination and the entities that inherit from it.
  private func bestEntity(for kind: Int, of destination: String) -> ModelDocument.Entity? {
    let family = model.entities.filter { !$0.isAbstract && model.isKind($0, of: destination) }
    let names = Set(structure.kinds[kind].members.map { EntityNaming.plain($0.name) })
    return family.max { left, right in
      matchCount(of: left, names: names) < matchCount(of: right, names: names)
    }
  }

  private func matchCount(of entity: ModelDocument.Entity, names: Set<String>) -> Int {
    model.allAttributes(of: entity).count { names.contains(EntityNaming.plain($0.name)) }
  }

  /// Maps a member with keys to a relationship.
  ///
  /// `ending` is the part of the member's name after that of the relationship, or nil if the names are equal.
  mutating func refer(
    _ member: FeedStructure.Member, at own: [String], to relationship: ModelDocument.Relationship, ending: String?,
    number: Int
  ) -> Bool {
    guard relationship.isToMany || !member.lists,
      !entities[number].relationships.contains(where: { $0.name == relationship.name }),
      let destination = bestEntity(for: 0, of: relationship.destination)
    else { return false }
    let attributes = model.importedAttributes(of: destination).filter { attribute in
      attribute.type.valueType.map { $0 == .string || $0.isInteger || $0 == .uuid } ?? false
    }
    let endings = ending.map { [$0] } ?? ["", "id", "identifier", "name", "title", "code", "key"]
    let attribute = endings.lazy.compactMap { ending in
      attributes.first { attribute in
        let plain = EntityNaming.plain(attribute.name)
        return ending.isEmpty || ending == "id" || ending == "ids"
          ? Self.isKeyName(plain, of: destination.name) : plain == ending || plain + "s" == ending
      }
    }.first
    guard let attribute else { return false }
    entities[number].relationships.append(
      FeedMapping.Relationship(relationship, in: model, member: own, target: -1, isReference: true))
    references.append((number, entities[number].relationships.count - 1, attribute.name))
    let target = entities.firstIndex { $0.name == destination.name } ?? entities.count
    if target == entities.count {
      guard let mapped = FeedMapping.Attribute(attribute, member: []) else { return false }
      var required = mapped
      required.isOptional = false
      entities.append(
        FeedMapping.Entity(
          name: destination.name, key: .attributes([attribute.name]), attributes: [required], isReferenceOnly: true))
      kinds.append(-1)
      chooseEdited(destination, number: target)
    }
    entities[number].relationships[entities[number].relationships.count - 1].target = target
    return true
  }

  /// Removes references to entities whose key is another attribute, or whose rows need more than a key.
  mutating func settleReferences(removesUnused: Bool = true) {
    for (number, place, attribute) in references.reversed() {
      let relationship = entities[number].relationships[place]
      let target = entities[relationship.target]
      let isUsable =
        target.isReferenceOnly
        ? target.key == .attributes([attribute]) && model.missingRequirements(of: target).isEmpty
        : target.attributes.contains { $0.name == attribute }
      if isUsable {
        if !target.isReferenceOnly { entities[relationship.target].key = .attributes([attribute]) }
      } else {
        entities[number].relationships.remove(at: place)
        unmatched.append("\(entities[number].name).\(relationship.member.joined(separator: "."))")
      }
    }
    removeMirrors()
    if removesUnused { removeUnused() }
  }

  /// Removes one of two relationships that are each other's inverse and are both mapped. Records could contradict each
  /// other otherwise. An ordered relationship stays, or else a to-one relationship, or else the first.
  private mutating func removeMirrors() {
    while let (first, second) = mirrors() {
      let removed = rank(first) <= rank(second) ? second : first
      let relationship = entities[removed.entity].relationships.remove(at: removed.place)
      references.removeAll { $0.entity == removed.entity && $0.relationship == removed.place }
      for index in references.indices
      where references[index].entity == removed.entity && references[index].relationship > removed.place {
        references[index].relationship -= 1
      }
      unmatched.append("\(entities[removed.entity].name).\(relationship.member.joined(separator: "."))")
    }
  }

  /// A mapped relationship, by its entity and its place among the entity's relationships.
  private typealias MappedPlace = (entity: Int, place: Int)

  /// Returns two different mapped relationships that are each other's inverse, or nil without such a pair.
  private func mirrors() -> (MappedPlace, MappedPlace)? {
    let all = entities.indices.flatMap { entity in
      entities[entity].relationships.indices.map { MappedPlace(entity, $0) }
    }
    for (index, first) in all.enumerated() {
      guard let declared = declaration(of: first), let inverse = declared.inverse else { continue }
      let owner = declared.inverseEntity ?? declared.destination
      for second in all[(index + 1)...] {
        guard entities[second.entity].relationships[second.place].name == inverse,
          declaration(of: second)?.inverse == declared.name,
          let other = model.entity(entities[second.entity].name), model.isKind(other, of: owner)
        else { continue }
        return (first, second)
      }
    }
    return nil
  }

  private func declaration(of mapped: MappedPlace) -> ModelDocument.Relationship? {
    model.entity(entities[mapped.entity].name).flatMap { entity in
      let name = entities[mapped.entity].relationships[mapped.place].name
      return model.allRelationships(of: entity).first { $0.name == name }
    }
  }

  private func rank(_ mapped: MappedPlace) -> Int {
    let relationship = entities[mapped.entity].relationships[mapped.place]
    return relationship.isToMany ? (relationship.isOrdered ? 0 : 2) : 1
  }

  /// Removes entities to which no relationship leads any more.
  private mutating func removeUnused() {
    while let unused = entities.indices.dropFirst().last(where: { index in
      !entities.contains { $0.relationships.contains { $0.target == index } }
    }) {
      entities.remove(at: unused)
      kinds.remove(at: unused)
      for number in entities.indices {
        for place in entities[number].relationships.indices where entities[number].relationships[place].target > unused
        {
          entities[number].relationships[place].target -= 1
        }
      }
    }
  }
}
