/// Finds the properties of a model that the members of a feed's records stand for.
///
/// A member is matched to a property of the same name, regardless of capitals and separators, so that `remote_id` is
/// `remoteID`. A key such as `id` is also matched to an attribute such as `remoteID`, `identifier` or `uuid`. A nested
/// object is matched to a relationship, or its members to properties such as `addressCity` for `city` in `address`. A
/// member such as `locationName` is matched to a relationship `location` whose destination has an attribute `name`.
struct ModelMatching {
  let structure: FeedStructure
  let model: ModelDocument
  var entities: [FeedMapping.Entity] = []
  /// The relationships of the entities that hold keys, with the names of the attribute that they refer to.
  var references: [(entity: Int, relationship: Int, attribute: String)] = []
  var kinds: [Int] = []
  var unmatched: [String] = []
  /// The largest number of members that lead to a property of the object that contains them.
  private static let deepestLevel = 4

  init(_ structure: FeedStructure, model: ModelDocument) {
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
    self.init(structure, model: model)
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
    _ structure: FeedStructure, model: ModelDocument, entity name: String, map: FeedMap
  ) throws(WorkloadError) -> ModelMatching {
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    guard concrete.contains(name) else {
      let flaw = model.entity(name) == nil ? "the model has no entity \(name)" : "\(name) is abstract"
      throw WorkloadError(
        .invalidOption, "records: \(flaw); \(NameList.choice(name, of: concrete))", path: map.place,
        line: map.recordsLine)
    }
    var matching = ModelMatching(structure, model: model)
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
  static func best(_ structure: FeedStructure, model: ModelDocument, fileName: String) -> ModelMatching? {
    var best: (matching: ModelMatching, score: Double)?
    let file = EntityNaming.plain(fileName.split(separator: ".").first.map(String.init) ?? fileName)
    for entity in model.entities where !entity.isAbstract {
      var matching = ModelMatching(structure, model: model)
      let count = matching.match(entity: entity.name)
      guard count > 0 else { continue }
      let name = EntityNaming.plain(entity.name)
      let isNamed =
        file == name || EntityName.singular(file) == name || file.hasSuffix(name) || file.hasSuffix(name + "s")
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
  mutating func add(
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
    let missed = takeMembers(of: [kind], at: [], entity: entity, number: number, from: from, path: path)
    unmatched += missed.map { ([entity.name] + path + $0).joined(separator: ".") }
    if entities[number].editedAttribute == nil { chooseEdited(entity, number: number) }
    return number
  }

  /// Matches the members of objects with the properties of an entity.
  ///
  /// - Parameters:
  ///   - kinds: The kind of the objects, after those of the objects that contain them, up to the entity's own.
  ///   - prefix: The members that lead from the entity's own objects to these.
  ///   - entity: The entity.
  ///   - number: The place of the entity among the mapped ones.
  ///   - from: The relationship that leads to the entity's own objects.
  ///   - path: The members that lead to the entity's own objects.
  /// - Returns: The paths of the members that have no match.
  private mutating func takeMembers(
    of kinds: [Int], at prefix: [String], entity: ModelDocument.Entity, number: Int,
    from: ModelDocument.Relationship?, path: [String]
  ) -> [[String]] {
    var rest: [FeedStructure.Member] = []
    // Equal names come first, so that a looser match does not take their attributes.
    for member in structure.kinds[kinds[kinds.count - 1]].members
    where !takeEqual(member, at: prefix, entity: entity, number: number) {
      rest.append(member)
    }
    return rest.flatMap { member -> [[String]] in
      let own = prefix + [member.name]
      if structure.isEntity(member), let kind = member.kind,
        let relationship = relationship(of: entity, like: member.name, from: from)
      {
        return nest(own, kind: kind, to: relationship, number: number, path: path) ? [] : [own]
      }
      if takeLoosely(member, at: own, entity: entity, number: number, from: from) { return [] }
      guard member.objects, let kind = member.kind, !kinds.contains(kind), own.count < Self.deepestLevel else {
        return [own]
      }
      // The members of a nested object may be properties of the object that contains it.
      let missed = takeMembers(of: kinds + [kind], at: own, entity: entity, number: number, from: from, path: path)
      let isMissed = structure.kinds[kind].members.allSatisfy { missed.contains(own + [$0.name]) }
      return isMissed ? [own] : missed
    }
  }

  private mutating func takeEqual(
    _ member: FeedStructure.Member, at prefix: [String], entity: ModelDocument.Entity, number: Int
  ) -> Bool {
    if structure.isEntity(member), relationship(of: entity, like: member.name) != nil { return false }
    if !prefix.isEmpty, member.objects || member.listedObjects { return false }
    let own = prefix + [member.name]
    let plain = own.map(EntityNaming.plain).joined()
    return take(own, entity: entity, number: number) { EntityNaming.plain($0) == plain }
  }

  private mutating func takeLoosely(
    _ member: FeedStructure.Member, at own: [String], entity: ModelDocument.Entity, number: Int,
    from: ModelDocument.Relationship?
  ) -> Bool {
    guard !member.objects else { return false }
    if let relationship = relationship(of: entity, like: member.name, from: from), member.isScalar || member.lists,
      refer(member, at: own, to: relationship, ending: nil, number: number)
    {
      return true
    }
    let plain = EntityNaming.plain(member.name)
    if own.count > 1, !member.listedObjects,
      take(own, entity: entity, number: number, fits: { EntityNaming.plain($0) == plain })
    {
      return true
    }
    guard member.isScalar, !member.lists else { return false }
    if structure.kinds.contains(where: { $0.keyMember == member.name }),
      take(own, entity: entity, number: number, fits: { ["code", "name"].contains(EntityNaming.plain($0)) })
    {
      return true
    }
    if own.count == 1, takeKeyOrPart(plain, at: own, entity: entity, number: number) { return true }
    for relationship in model.allRelationships(of: entity)
    where plain.hasPrefix(EntityNaming.plain(relationship.name)) {
      let ending = String(plain.dropFirst(EntityNaming.plain(relationship.name).count))
      if refer(member, at: own, to: relationship, ending: ending, number: number) { return true }
    }
    return false
  }

  /// Maps a member to an attribute whose name differs from the member's by the entity's name or is another name of a key.
  private mutating func takeKeyOrPart(
    _ plain: String, at own: [String], entity: ModelDocument.Entity, number: Int
  ) -> Bool {
    if Self.isKeyName(plain, of: entity.name),
      take(own, entity: entity, number: number, fits: { Self.isKeyName(EntityNaming.plain($0), of: entity.name) })
    {
      return true
    }
    let name = EntityNaming.plain(entity.name)
    return take(own, entity: entity, number: number) {
      name + EntityNaming.plain($0) == plain || name + plain == EntityNaming.plain($0)
    }
  }

  /// Maps a member to the first free attribute with a name that fits, and returns false if no such attribute exists.
  private mutating func take(
    _ member: [String], entity: ModelDocument.Entity, number: Int, fits: (String) -> Bool
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

  static func isKeyName(_ plain: String, of entity: String) -> Bool {
    let own = EntityNaming.plain(entity)
    return [
      "id", "uuid", "guid", "pk", "key", "identifier", "uid", "remoteid", "serverid", "remoteidentifier", "objectid",
    ]
    .contains(plain) || plain == own + "id" || plain == own + "identifier"
  }

  /// Returns the relationship of an entity that has the name of a member, unless it leads back along another one.
  private func relationship(
    of entity: ModelDocument.Entity, like member: String, from: ModelDocument.Relationship?
  ) -> ModelDocument.Relationship? {
    relationship(of: entity, like: member).flatMap { from == nil || $0.name != from?.inverse ? $0 : nil }
  }

  private func relationship(of entity: ModelDocument.Entity, like member: String) -> ModelDocument.Relationship? {
    let plain = EntityNaming.plain(member)
    let singular = EntityNaming.plain(EntityName.singular(member))
    let all = model.allRelationships(of: entity)
    return all.first { EntityNaming.plain($0.name) == plain }
      ?? all.first { EntityNaming.plain(EntityName.singular($0.name)) == singular }
  }

  mutating func chooseEdited(_ entity: ModelDocument.Entity, number: Int) {
    entities[number].editedAttribute = Self.editedAttribute(of: entities[number], in: model)
  }

  /// Returns the attribute of an entity that the user edits, or nil if the feed leaves no attribute free that can be
  /// edited.
  static func editedAttribute(of mapped: FeedMapping.Entity, in model: ModelDocument) -> String? {
    guard let entity = model.entity(mapped.name) else { return nil }
    let free = model.importedAttributes(of: entity).filter { attribute in
      attribute.type.valueType == .string && attribute.isOptional && attribute.defaultValue == nil
        && attribute.regularExpression == nil && attribute.minimumLength ?? 0 <= 1
        && attribute.maximumLength ?? 100 >= 12
        && !mapped.attributes.contains { $0.name == attribute.name }
        && !model.uniqueAttributes(of: entity).contains(attribute.name)
    }
    let names = ["note", "notes", "comment", "comments", "remark", "memo", "annotation", "text", "detail", "details"]
    return (names.lazy.compactMap { name in free.first { $0.name.lowercased() == name } }.first ?? free.first)?.name
  }
}
