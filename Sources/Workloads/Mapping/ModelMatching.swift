import FeedReading
import ModelReading

/// Finds the properties of a model that the members of a feed's records stand for.
///
/// A member is matched to a property of the same name, regardless of capitals and separators, so that `remote_id` is
/// `remoteID`. A key such as `id` is also matched to an attribute such as `remoteID`, `identifier` or `uuid`. A nested
/// object is matched to a relationship, or its members to attributes such as `addressCity` for `city` in `address`. A
/// member such as `locationName` is matched to a relationship `location` whose destination has an attribute `name`.
struct ModelMatching {
  private let structure: FeedStructure
  private let model: ModelDocument
  private(set) var entities: [FeedMapping.Entity] = []
  /// The relationships of the entities that hold keys, with the names of the attribute that they refer to.
  private var references: [(entity: Int, relationship: Int, attribute: String)] = []
  private var kinds: [Int] = []
  private(set) var unmatched: [String] = []

  init(_ structure: FeedStructure, _ model: ModelDocument) {
    self.structure = structure
    self.model = model
  }

  /// Creates a matching of entities that are mapped already.
  ///
  /// - Parameters:
  ///   - structure: The members of the feed's records.
  ///   - model: The model.
  ///   - entities: The mapped entities.
  ///   - kinds: The kind of objects of each entity, or -1 for an entity without objects.
  init(_ structure: FeedStructure, _ model: ModelDocument, _ entities: [FeedMapping.Entity], kinds: [Int]) {
    self.init(structure, model)
    self.entities = entities
    self.kinds = kinds
  }

  /// Matches nested objects with an entity, which is added if it is not mapped yet.
  ///
  /// - Parameters:
  ///   - kind: The kind of the objects.
  ///   - entity: The entity of the model.
  ///   - relationship: The relationship that leads to the objects.
  ///   - path: The members that lead to the objects.
  /// - Returns: The place of the entity among the mapped ones.
  mutating func addNested(
    _ kind: Int, _ entity: ModelDocument.Entity, from relationship: ModelDocument.Relationship, path: [String]
  ) -> Int {
    let target = add(kind: kind, entity, from: relationship, path: path)
    settleReferences(removesUnused: false)
    return target
  }

  /// Matches the records with an entity, and returns the number of members that were matched.
  mutating func match(entity: String) -> Int {
    guard let entity = model.entity(entity) else { return 0 }
    add(kind: 0, entity, from: nil, path: [])
    settleReferences()
    return entities[0].attributes.count { !$0.member.isEmpty } + entities[0].relationships.count
  }

  /// Returns the matching of the entity that a map names.
  ///
  /// - Throws: `WorkloadError` if the model has no such entity, or if it is abstract.
  static func matching(
    _ structure: FeedStructure, _ model: ModelDocument, entity name: String, _ map: FeedMap
  ) throws(WorkloadError) -> ModelMatching {
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    guard concrete.contains(name) else {
      let flaw = model.entity(name) == nil ? "the model has no entity \(name)" : "\(name) is abstract"
      throw WorkloadError(
        .invalidOption, "records: \(flaw); \(MapResolution.choice(name, of: concrete))", path: map.place,
        line: map.recordsLine)
    }
    var matching = ModelMatching(structure, model)
    _ = matching.match(entity: name)
    return matching
  }

  /// Returns the matching of the entity that fits the records best, or nil if no entity has a property that matches.
  ///
  /// - Parameters:
  ///   - structure: The members of the records.
  ///   - model: The model whose entities are tried.
  ///   - fileName: The name of the feed's file, which decides if several entities fit equally well.
  /// - Returns: The best matching.
  static func best(_ structure: FeedStructure, _ model: ModelDocument, fileName: String) -> ModelMatching? {
    var best: (matching: ModelMatching, score: Double)?
    let file = EntityNaming.plain(fileName.split(separator: ".").first.map(String.init) ?? fileName)
    for entity in model.entities where !entity.isAbstract {
      var matching = ModelMatching(structure, model)
      let count = matching.match(entity: entity.name)
      guard count > 0 else { continue }
      let name = EntityNaming.plain(entity.name)
      let isNamed =
        file == name || EntityNaming.singular(file) == name || file.hasSuffix(name) || file.hasSuffix(name + "s")
      let properties = model.allAttributes(of: entity).count
      let score =
        Double(count) / Double(max(1, structure.kinds[0].members.count)) + (isNamed ? 0.5 : 0)
        + 0.1 * Double(count) / Double(max(1, properties))
      if score > (best?.score ?? 0) { best = (matching, score) }
    }
    return best?.matching
  }
}

// MARK: - Entities

extension ModelMatching {
  /// Adds the mapping of an entity, or further members to it if it is mapped already, and returns its place.
  @discardableResult
  private mutating func add(
    kind: Int, _ entity: ModelDocument.Entity, from: ModelDocument.Relationship?, path: [String]
  ) -> Int {
    let number: Int
    if let known = entities.firstIndex(where: { $0.name == entity.name }) {
      number = known
      if kinds[number] == kind { return number }
      entities[number].isReferenceOnly = false
    } else {
      number = entities.count
      entities.append(FeedMapping.Entity(name: entity.name, key: .attributes([]), attributes: []))
      kinds.append(kind)
    }
    var rest: [FeedStructure.Member] = []
    // Equal names come first, so that a looser match does not take their attributes.
    for member in structure.kinds[kind].members where !takeEqual(member, entity, number) { rest.append(member) }
    for member in rest where !takeLoosely(member, entity, number, from: from, path: path) {
      unmatched.append(([entity.name] + path + [member.name]).joined(separator: "."))
    }
    if entities[number].editedAttribute == nil { chooseEdited(entity, number) }
    return number
  }

  private mutating func takeEqual(_ member: FeedStructure.Member, _ entity: ModelDocument.Entity, _ number: Int) -> Bool
  {
    if structure.isEntity(member), relationship(of: entity, like: member.name) != nil { return false }
    return take([member.name], entity, number) { EntityNaming.plain($0) == EntityNaming.plain(member.name) }
  }

  private mutating func takeLoosely(
    _ member: FeedStructure.Member, _ entity: ModelDocument.Entity, _ number: Int, from: ModelDocument.Relationship?,
    path: [String]
  ) -> Bool {
    let plain = EntityNaming.plain(member.name)
    if let relationship = relationship(of: entity, like: member.name), relationship.name != from?.inverse || from == nil
    {
      if structure.isEntity(member), let kind = member.kind {
        return nest(member, kind, relationship, number, path)
      }
      if member.isScalar || member.lists, !member.objects, refer(member, to: relationship, nil, number) { return true }
    }
    if member.isScalar, !member.objects, !member.lists {
      if Self.isKeyName(plain, of: entity.name),
        take([member.name], entity, number, { Self.isKeyName(EntityNaming.plain($0), of: entity.name) })
      {
        return true
      }
      let own = EntityNaming.plain(entity.name)
      if take(
        [member.name], entity, number,
        { own + EntityNaming.plain($0) == plain || own + plain == EntityNaming.plain($0) })
      {
        return true
      }
      for relationship in model.allRelationships(of: entity)
      where plain.hasPrefix(EntityNaming.plain(relationship.name)) {
        let ending = String(plain.dropFirst(EntityNaming.plain(relationship.name).count))
        if refer(member, to: relationship, ending, number) { return true }
      }
    }
    guard member.objects, let kind = member.kind else { return false }
    // The members of a nested object may be attributes of the object that contains it.
    var isTaken = false
    for inner in structure.kinds[kind].members where !inner.objects && !inner.listedObjects {
      let whole = plain + EntityNaming.plain(inner.name)
      let found =
        take([member.name, inner.name], entity, number) { EntityNaming.plain($0) == whole }
        || take([member.name, inner.name], entity, number) { EntityNaming.plain($0) == EntityNaming.plain(inner.name) }
      if found { isTaken = true }
    }
    return isTaken
  }

  /// Maps a member to the first free attribute with a name that fits, and returns false if no such attribute exists.
  private mutating func take(
    _ member: [String], _ entity: ModelDocument.Entity, _ number: Int, _ fits: (String) -> Bool
  ) -> Bool {
    let attribute = model.importedAttributes(of: entity).first { attribute in
      fits(attribute.name) && !entities[number].attributes.contains { $0.name == attribute.name }
    }
    guard let attribute, let mapped = FeedMapping.Attribute(attribute, member: member) else {
      return entities[number].attributes.contains { $0.member == member }
    }
    entities[number].attributes.append(mapped)
    return true
  }

  private static func isKeyName(_ plain: String, of entity: String) -> Bool {
    let own = EntityNaming.plain(entity)
    return [
      "id", "uuid", "guid", "pk", "key", "identifier", "uid", "remoteid", "serverid", "remoteidentifier", "objectid",
    ]
    .contains(plain) || plain == own + "id" || plain == own + "identifier"
  }

  private func relationship(of entity: ModelDocument.Entity, like member: String) -> ModelDocument.Relationship? {
    let plain = EntityNaming.plain(member)
    let singular = EntityNaming.plain(EntityNaming.singular(member))
    let all = model.allRelationships(of: entity)
    return all.first { EntityNaming.plain($0.name) == plain }
      ?? all.first { EntityNaming.plain(EntityNaming.singular($0.name)) == singular }
  }

  private mutating func chooseEdited(_ entity: ModelDocument.Entity, _ number: Int) {
    entities[number].editedAttribute = Self.editedAttribute(of: entities[number], in: model)
  }

  /// Returns the attribute of an entity that the user edits, or nil if the feed leaves no attribute free that can be
  /// edited.
  static func editedAttribute(of mapped: FeedMapping.Entity, in model: ModelDocument) -> String? {
    guard let entity = model.entity(mapped.name) else { return nil }
    let free = model.importedAttributes(of: entity).filter { attribute in
      attribute.type == .string && attribute.isOptional && attribute.defaultValue == nil
        && attribute.regularExpression == nil && attribute.minimumLength ?? 0 <= 1
        && attribute.maximumLength ?? 100 >= 12
        && !mapped.attributes.contains { $0.name == attribute.name }
        && !model.uniqueAttributes(of: entity).contains(attribute.name)
    }
    let names = ["note", "notes", "comment", "comments", "remark", "memo", "annotation", "text", "detail", "details"]
    return (names.lazy.compactMap { name in free.first { $0.name.lowercased() == name } }.first ?? free.first)?.name
  }
}

// MARK: - Relationships

extension ModelMatching {
  private mutating func nest(
    _ member: FeedStructure.Member, _ kind: Int, _ relationship: ModelDocument.Relationship, _ number: Int,
    _ path: [String]
  ) -> Bool {
    if let known = entities[number].relationships.first(where: { $0.name == relationship.name }) {
      // Other objects of the same entity have the member too.
      return known.member == [member.name] && !known.isReference
    }
    guard let destination = bestEntity(for: kind, of: relationship.destination) else { return false }
    // The place is reserved first, because the nested objects may lead back to this entity.
    let place = entities[number].relationships.count
    entities[number].relationships.append(
      FeedMapping.Relationship(relationship, in: model, member: [member.name], target: 0, isReference: false))
    let target = add(kind: kind, destination, from: relationship, path: path + [member.name])
    entities[number].relationships[place].target = target
    return true
  }

  /// Returns the entity that fits nested objects best among a destination and the entities that inherit from it.
  private func bestEntity(for kind: Int, of destination: String) -> ModelDocument.Entity? {
    let family = model.entities.filter { !$0.isAbstract && model.isKind($0, of: destination) }
    let names = Set(structure.kinds[kind].members.map { EntityNaming.plain($0.name) })
    return family.max { left, right in
      matchCount(left, names) < matchCount(right, names)
    }
  }

  private func matchCount(_ entity: ModelDocument.Entity, _ names: Set<String>) -> Int {
    model.allAttributes(of: entity).count { names.contains(EntityNaming.plain($0.name)) }
  }

  /// Maps a member with keys to a relationship.
  ///
  /// `ending` is the part of the member's name after that of the relationship, or nil if the names are equal.
  private mutating func refer(
    _ member: FeedStructure.Member, to relationship: ModelDocument.Relationship, _ ending: String?, _ number: Int
  ) -> Bool {
    guard relationship.isToMany || !member.lists,
      !entities[number].relationships.contains(where: { $0.name == relationship.name }),
      let destination = bestEntity(for: 0, of: relationship.destination)
    else { return false }
    let attributes = model.importedAttributes(of: destination).filter { attribute in
      attribute.type == .string || attribute.type.integerRange != nil || attribute.type == .uuid
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
      FeedMapping.Relationship(relationship, in: model, member: [member.name], target: -1, isReference: true))
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
      chooseEdited(destination, target)
    }
    entities[number].relationships[entities[number].relationships.count - 1].target = target
    return true
  }

  /// Removes references to entities whose key is another attribute, or whose rows need more than a key.
  private mutating func settleReferences(removesUnused: Bool = true) {
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
