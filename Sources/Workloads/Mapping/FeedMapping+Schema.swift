extension FeedMapping {
  /// Returns the schema of the workload that a feed's records make.
  ///
  /// - Parameters:
  ///   - model: The model whose entities the records fill, or nil if the mapping itself describes them. With a model, the
  ///     schema has all its entities, in its order, and nothing is added to them.
  ///   - isInsertsOnly: True if no record changes or deletes a row. The payloads of a flat mapping then have the form of
  ///     the feed.
  /// - Returns: The schema.
  /// - Throws: `WorkloadError` if the mapping names an entity that the model does not have.
  package func schema(model: ModelDocument?, isInsertsOnly: Bool = false) throws(WorkloadError) -> WorkloadSchema {
    let document = model ?? ModelDocument(describedBy: self)
    if model == nil, isInsertsOnly, isFlat { return plainSchema(document) }
    var schema = WorkloadSchema(
      document, isModelGiven: model != nil,
      entities: document.entities.map { WorkloadSchema.Entity(unfilled: $0.name) })
    for (number, entity) in entities.enumerated() {
      guard let index = schema.index(ofEntity: entity.name) else {
        throw WorkloadError(
          .invalidOption,
          "the map names the entity \(entity.name), which the model does not have; it has "
            + document.entities.map(\.name).joined(separator: ", "))
      }
      schema.entities[index] = schemaEntity(number, isInferred: model == nil)
      schema.entities[index].isFilled = !document.entities[index].isAbstract
    }
    schema.giveKeysToSuperentities(of: document)
    schema.hasGroups = entities.count > 1
    return schema
  }

  /// Returns the relationships that records of an entity set, to-one relationships first.
  func relationships(ofRecords number: Int) -> [WorkloadSchema.Relationship] {
    let own = entities[number].relationships.filter { !$0.isCarriedByTarget }.map {
      WorkloadSchema.Relationship($0.end, to: entities[$0.target].name, inverse: $0.inverse)
    }
    let carried = entities.flatMap { entity in
      entity.relationships.filter { $0.isCarriedByTarget && $0.target == number }.compactMap { relationship in
        relationship.inverse.map { WorkloadSchema.Relationship($0, to: entity.name, inverse: relationship.end) }
      }
    }
    return own.filter { !$0.isToMany } + carried + own.filter(\.isToMany)
  }

  /// True if the records are rows of one entity whose attributes are their members, and have no other rows in them.
  private var isFlat: Bool {
    entities.count == 1 && entities[0].relationships.isEmpty
      && entities[0].attributes.allSatisfy { attribute in
        attribute.member.count == 1 && attribute.constant == nil
          && [.string, .integer64, .double, .boolean].contains(attribute.type)
      }
  }

  /// Returns the schema of a flat mapping whose payloads have the form of the feed.
  private func plainSchema(_ model: ModelDocument) -> WorkloadSchema {
    var entity = schemaEntity(0, isInferred: true)
    for (place, name) in Self.payloadNames(of: entities[0].attributes.map { $0.member[0] }).enumerated() {
      entity.attributes[place].member = name
    }
    for place in entity.attributes.indices.dropFirst(entities[0].attributes.count) {
      var name = entity.attributes[place].name
      while entities[0].attributes.contains(where: { $0.member[0] == name }) { name += "_" }
      entity.attributes[place].member = name
    }
    return WorkloadSchema(model, entities: [entity], recordForm: .plain)
  }

  /// Returns a name for each member that is not equal to any other as a `String`. It is the member's name, with a number
  /// added if an earlier name is equal.
  ///
  /// Members are distinguished by their bytes. `JSONDecoder` cannot do that: it treats é as one scalar and é as two
  /// scalars as the same name.
  private static func payloadNames(of members: [String]) -> [String] {
    let own = Set(members)
    var taken: Set<String> = []
    return members.map { member in
      var name = member
      var number = 1
      while !taken.insert(name).inserted || (number > 1 && own.contains(name)) {
        number += 1
        name = "\(member)_\(number)"
      }
      return name
    }
  }

  private func schemaEntity(_ number: Int, isInferred: Bool) -> WorkloadSchema.Entity {
    let entity = entities[number]
    // A set, because a feed may have many thousands of members.
    let names = Set(entity.attributes.map(\.name))
    let attributes =
      entity.attributes.map { attribute in
        WorkloadSchema.Attribute(
          attribute.declaration, isOptional: isInferred ? nil : true,
          member: Self.payloadMember(attribute.name, entity, names),
          hasNumericDates: attribute.type == .date)
      } + [entity.key.addedDeclaration].compactMap(\.self).map { WorkloadSchema.Attribute($0, isAdded: true) }
    let keyIndexes = entity.key.attributeNames.compactMap { name in attributes.firstIndex { $0.name == name } }
    let relationships = relationships(ofRecords: number)
    let isContent = if case .content = entity.key { true } else { false }
    let showsKey = isInferred && !isContent
    let shown = showsKey ? Self.keyAndOther(attributes, keyIndexes) : Self.shownIndexes(attributes, keyIndexes)
    return WorkloadSchema.Entity(
      name: entity.name, attributes: attributes, links: relationships.filter { !$0.isToMany },
      lists: relationships.filter(\.isToMany),
      keyIndexes: keyIndexes,
      sortIndexes: showsKey ? keyIndexes : shown.prefix(1).filter { !keyIndexes.contains($0) } + keyIndexes,
      shownIndexes: shown,
      editedAttribute: entity.editedDeclaration.map { WorkloadSchema.Attribute($0) })
  }

  /// Returns the member that holds an attribute in payloads. It is the attribute's name unless that has a meaning there.
  private static func payloadMember(_ name: String, _ entity: Entity, _ attributes: Set<String>) -> String {
    var member = name
    while WorkloadSchema.Entity.reservedMembers.contains(member) || (member != name && attributes.contains(member))
      || entity.relationships.contains(where: { $0.name == member })
    { member += "_" }
    return member
  }

  /// Returns the attributes that a cell shows in a list that is sorted by the key: the key, and the first number or else
  /// the first other attribute.
  private static func keyAndOther(_ attributes: [WorkloadSchema.Attribute], _ keyIndexes: [Int]) -> [Int] {
    let others = attributes.indices.filter { !keyIndexes.contains($0) }
    let number = others.first { attributes[$0].type.isInteger || attributes[$0].type == .double }
    return keyIndexes.prefix(1) + [number ?? others.first].compactMap(\.self)
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
  init(unfilled name: String) {
    self.init(name: name, attributes: [], links: [], lists: [], keyIndexes: [], sortIndexes: [], shownIndexes: [])
  }
}
