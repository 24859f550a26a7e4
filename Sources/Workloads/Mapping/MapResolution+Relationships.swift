extension MapResolution {
  /// Replaces, adds and removes the relationships that the map gives, and adds the entities that they lead to.
  mutating func addRelationships() throws(WorkloadError) {
    var pending = map.entities.filter { !$0.isRemoved }
    while !pending.isEmpty {
      // An entity may be added by a relationship of another one that comes later in the file.
      let ready = pending.filter { index(of: $0.name) != nil }
      guard !ready.isEmpty else { throw unknownEntity(pending[0]) }
      pending.removeAll { index(of: $0.name) != nil }
      for entity in ready {
        for given in entity.relationships {
          if let number = index(of: entity.name) { try add(given, to: number) }
        }
      }
    }
  }

  private func unknownEntity(_ entity: FeedMap.Entity) -> WorkloadError {
    let field = "entities.\(entity.name)"
    if let model, model.entity(entity.name) == nil {
      return fault(
        field, "the model has no such entity; \(NameList.choice(entity.name, of: model.entities.map(\.name)))",
        line: entity.line)
    }
    let names = mapping.entities.map(\.name)
    return fault(
      field,
      "no relationship leads to it; \(NameList.choice(entity.name, of: names)), add a relationship, or name it after records",
      line: entity.line)
  }

  private mutating func add(_ given: FeedMap.Relationship, to number: Int) throws(WorkloadError) {
    let entity = mapping.entities[number]
    let field = "entities.\(entity.name).relationships.\(given.name)"
    let place = entity.relationships.firstIndex { $0.name == given.name }
    guard let path = given.member else {
      guard let place else {
        throw fault(
          field,
          "is not mapped, so it cannot be left out; "
            + NameList.choice(given.name, of: entity.relationships.map(\.name)), line: given.line)
      }
      mapping.entities[number].relationships.remove(at: place)
      return
    }
    let declared = try declared(given, of: entity, field)
    let found = try members(at: path, of: number, field, line: given.line)
    if let attribute = given.referenceAttribute {
      references.append(Reference(entity: entity.name, relationship: given, attribute: attribute))
    }
    if let place, isInferred(given, path, entity.relationships[place]) { return }
    let target: Int
    if let attribute = given.referenceAttribute {
      if let object = found.first(where: { $0.objects || $0.listedObjects }) {
        throw fault(
          "\(field).by", "\(object.name) contains objects and not keys; leave by out", line: given.line)
      }
      target = try referenceTarget(given, attribute, declared, found, field)
    } else {
      target = try nestedTarget(given, declared, found, of: number, field)
    }
    try set(given, path, declared, target, found, of: number, at: place, field)
    if given.referenceAttribute == nil { findKinds() }
  }

  /// Returns the model's relationship of the map, or nil if there is no model.
  private func declared(
    _ given: FeedMap.Relationship, of entity: FeedMapping.Entity, _ field: String
  ) throws(WorkloadError) -> ModelDocument.Relationship? {
    guard let model, let described = model.entity(entity.name) else { return nil }
    let all = model.allRelationships(of: described)
    guard let declared = all.first(where: { $0.name == given.name }) else {
      throw fault(
        field,
        "\(entity.name) has no such relationship in the model; \(NameList.choice(given.name, of: all.map(\.name)))",
        line: given.line)
    }
    return declared
  }

  /// Returns true if the map gives a relationship as it was inferred.
  private func isInferred(
    _ given: FeedMap.Relationship, _ path: [String], _ inferred: FeedMapping.Relationship
  ) -> Bool {
    let target = mapping.entities[inferred.target]
    return inferred.member == path && inferred.isReference == (given.referenceAttribute != nil)
      && given.target ?? target.name == target.name
      && given.referenceAttribute.map { target.key == .attributes([$0]) } ?? true
  }

  private mutating func set(
    _ given: FeedMap.Relationship, _ path: [String], _ declared: ModelDocument.Relationship?, _ target: Int,
    _ found: [FeedStructure.Member], of number: Int, at place: Int?, _ field: String
  ) throws(WorkloadError) {
    let isReference = given.referenceAttribute != nil
    var relationship: FeedMapping.Relationship
    if let model, let declared {
      if !declared.isToMany, found.contains(where: \.lists) {
        throw fault(
          field, "\(path.joined(separator: ".")) contains lists, and \(given.name) is a to-one relationship",
          line: given.line)
      }
      relationship = FeedMapping.Relationship(
        declared, in: model, member: path, target: target, isReference: isReference)
    } else {
      let inverse = place.flatMap { mapping.entities[number].relationships[$0].inverse }
      let isKept = place.map { mapping.entities[number].relationships[$0].target == target } ?? false
      relationship = FeedMapping.Relationship(
        end: RelationshipEnd(name: given.name, isToMany: found.contains(where: \.lists)),
        inverse: isKept ? inverse : .toMany(freeInverse(of: number, in: target)), member: path, target: target,
        isReference: isReference)
    }
    if !isReference {
      relationship.keyMember = found.compactMap(\.kind).compactMap { structure.kinds[$0].keyMember }.first
    }
    if let place {
      mapping.entities[number].relationships[place] = relationship
    } else {
      mapping.entities[number].relationships.append(relationship)
    }
  }

  /// Returns a name for the relationship that leads back to an entity.
  private func freeInverse(of number: Int, in target: Int) -> String {
    let name = mapping.entities[number].name
    let base = name.prefix(1).lowercased() + name.dropFirst() + "s"
    return freeName(base, of: target)
  }

  /// Returns a name that no property of an entity has, with a number at its end if needed.
  func freeName(_ base: String, of number: Int) -> String {
    let used = Set(names(of: number).map { $0.uppercased() })
    var free = base
    var count = 1
    while used.contains(free.uppercased()) {
      count += 1
      free = "\(base)_\(count)"
    }
    return free
  }

  /// Returns the names of an entity's attributes and relationships, also of those that lead back.
  func names(of number: Int) -> [String] {
    let entity = mapping.entities[number]
    return entity.attributes.map(\.name) + [entity.key.addedAttribute, entity.editedAttribute].compactMap(\.self)
      + entity.relationships.map(\.name)
      + mapping.entities.flatMap { other in
        other.relationships.filter { $0.target == number }.compactMap(\.inverse?.name)
      }
  }

  // MARK: Targets

  /// Returns the entity of the model that a relationship leads to.
  private func destination(
    _ given: FeedMap.Relationship, _ declared: ModelDocument.Relationship, _ model: ModelDocument, _ field: String
  ) throws(WorkloadError) -> ModelDocument.Entity {
    let family = model.entities.filter { !$0.isAbstract && model.isKind($0, of: declared.destination) }
    let name = given.target ?? declared.destination
    guard let entity = family.first(where: { $0.name == name }) else {
      let flaw =
        model.entity(name) == nil
        ? "the model has no entity \(name)"
        : model.entity(name)?.isAbstract == true
          ? "\(name) is abstract" : "\(name) is not \(declared.destination) and does not inherit from it"
      throw fault("\(field).to", "\(flaw); \(NameList.choice(name, of: family.map(\.name)))", line: given.line)
    }
    return entity
  }

  private mutating func nestedTarget(
    _ given: FeedMap.Relationship, _ declared: ModelDocument.Relationship?, _ found: [FeedStructure.Member],
    of number: Int, _ field: String
  ) throws(WorkloadError) -> Int {
    guard let member = found.first(where: { structure.isEntity($0) }), let kind = member.kind else {
      throw fault(
        field,
        "\(given.member?.joined(separator: ".") ?? "") contains no objects; use by: with the attribute that it contains",
        line: given.line)
    }
    guard let model, let declared else {
      let target = kinds.firstIndex { $0.contains(kind) }
      guard let target, given.target ?? mapping.entities[target].name == mapping.entities[target].name else {
        let name = target.map { mapping.entities[$0].name } ?? ""
        throw fault(
          "\(field).to", "the objects of \(member.name) are rows of \(name); leave to out", line: given.line)
      }
      return target
    }
    let destination = try destination(given, declared, model, field)
    var matching = ModelMatching(structure, model, mapping.entities, kinds: kinds.map { $0.first ?? -1 })
    let target = matching.addNested(kind, destination, from: declared, path: given.member ?? [])
    let added = matching.unmatched.filter { !mapping.unmatched.contains($0) }
    mapping.entities = matching.entities
    mapping.unmatched = (mapping.unmatched + added).sorted { $0.bytesPrecede($1) }
    kinds += mapping.entities[kinds.count...].map { _ in [] }
    return target
  }

  private mutating func referenceTarget(
    _ given: FeedMap.Relationship, _ attribute: String, _ declared: ModelDocument.Relationship?,
    _ found: [FeedStructure.Member], _ field: String
  ) throws(WorkloadError) -> Int {
    if let model, let declared {
      let destination = try destination(given, declared, model, field)
      let keys = model.importedAttributes(of: destination).filter { $0.type.valueType?.isKeyType == true }
      guard let key = keys.first(where: { $0.name == attribute }), let mapped = FeedMapping.Attribute(key, member: [])
      else {
        let isDeclared = model.allAttributes(of: destination).contains { $0.name == attribute }
        throw fault(
          "\(field).by",
          "\(destination.name).\(attribute) \(isDeclared ? "cannot be a key" : "is not in the model"); "
            + NameList.choice(attribute, of: keys.map(\.name)), line: given.line)
      }
      if let known = index(of: destination.name) { return known }
      return addTarget(destination.name, mapped)
    }
    guard let name = given.target else {
      throw fault(
        "\(field).to", "missing; use the name of the entity to which the references lead", line: given.line)
    }
    if let known = index(of: name) { return known }
    let type = Self.keyType(of: found)
    return addTarget(name, FeedMapping.Attribute(attribute, type, member: []))
  }

  /// Adds an entity of which the feed has only keys, and returns its place.
  private mutating func addTarget(_ name: String, _ key: FeedMapping.Attribute) -> Int {
    var key = key
    key.isOptional = false
    var entity = FeedMapping.Entity(
      name: name, key: .attributes([key.name]), attributes: [key], isReferenceOnly: true)
    entity.editedAttribute =
      model.map { ModelMatching.editedAttribute(of: entity, in: $0) } ?? WorkloadSchema.Attribute.note.name
    mapping.entities.append(entity)
    kinds.append([])
    return mapping.entities.count - 1
  }

  /// Returns the type of keys. The elements of lists are strings, because their types are not known.
  private static func keyType(of members: [FeedStructure.Member]) -> ValueType {
    members.allSatisfy { $0.type == .integer64 && !$0.lists } ? .integer64 : .string
  }
}
