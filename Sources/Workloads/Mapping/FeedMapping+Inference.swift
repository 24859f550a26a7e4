extension FeedMapping {
  /// Infers a mapping, and with it a model, from the records of a feed.
  ///
  /// The entity of the records is `Record`. Nested objects become entities that are named after their members; a list
  /// of objects becomes a to-many relationship. Lists of other values, values of several kinds and objects with many
  /// members become strings of JSON text. The key is the member that identifies all objects, as `IDSearch` finds it.
  /// Otherwise a record's key is a member whose values all differ, or else its place in the feed. A nested
  /// object's key is then a digest of its content, so that equal objects are one row. Members with IDs of other objects
  /// become references, as `FeedReference` finds them.
  ///
  /// - Parameters:
  ///   - structure: The members of the feed's records.
  ///   - references: The members that contain IDs of other objects.
  ///   - shape: The shape of the feed.
  ///   - map: The map that replaces parts of the mapping, or nil if there is none.
  /// - Returns: The mapping.
  /// - Throws: `WorkloadError` if the map does not fit the feed.
  static func infer(
    _ structure: FeedStructure, _ references: [FeedReference], shape: FeedShape, _ map: FeedMap? = nil
  ) throws(WorkloadError) -> FeedMapping {
    var builder = InferredModel(structure: structure)
    builder.add(kind: 0, name: map?.records ?? "Record")
    var map = map
    for reference in references { builder.add(reference, unlessRemovedBy: &map) }
    let mapping = FeedMapping(shape: shape, entities: builder.entities)
    guard let map else { return mapping }
    var resolution = MapResolution(map, structure, nil, mapping)
    return try resolution.resolve()
  }
}

/// Entities that are added one after another while the structure of a feed is read.
private struct InferredModel {
  let structure: FeedStructure
  var entities: [FeedMapping.Entity] = []
  /// The entity of each kind of objects that has one.
  private var numbers: [Int: Int] = [:]
  private var names: [AttributeNames] = []
  private var entityNames: Set<String> = []

  init(structure: FeedStructure) {
    self.structure = structure
  }

  /// Adds the entity of a kind of objects, and those of the objects nested in them, and returns its place.
  @discardableResult
  mutating func add(kind: Int, name: String) -> Int {
    if let known = numbers[kind] { return known }
    let number = entities.count
    numbers[kind] = number
    entities.append(FeedMapping.Entity(name: unique(name), key: .content(attribute: ""), attributes: []))
    names.append(AttributeNames())
    let members = structure.kinds[kind].members.sorted { $0.name.bytesPrecede($1.name) }
    let id = structure.kinds[kind].idName ?? (kind == 0 ? structure.kinds[0].proposedID?.name : nil)
    let keyMember = id.map { MemberName($0) }
    if let keyMember {
      entities[number].key = .attributes([names[number].take(keyMember.text)])
    } else if kind == 0 {
      entities[number].key = .place(attribute: names[number].take(free("index", members)))
    } else {
      entities[number].key = .content(attribute: names[number].take(free("contentHash", members)))
    }
    for member in members where !structure.isEntity(member) {
      let isKey = MemberName(member.name) == keyMember
      let name = isKey ? entities[number].key.attributeNames[0] : names[number].take(member.name)
      entities[number].attributes.append(
        FeedMapping.Attribute(name, member.type, isOptional: !isKey, member: [member.name]))
    }
    entities[number].editedAttribute = WorkloadSchema.Attribute.note.name
    for member in members where structure.isEntity(member) {
      guard let nested = member.kind else { continue }
      let target = add(kind: nested, name: EntityNaming.entity(member.name))
      let name = names[number].take(member.name)
      let inverse = names[target].take(inverseName(of: number))
      entities[number].relationships.append(
        FeedMapping.Relationship(
          end: RelationshipEnd(name: name, isToMany: member.lists), inverse: .toMany(inverse), member: [member.name],
          target: target, keyMember: structure.kinds[nested].keyMember))
    }
    return number
  }

  /// Replaces an attribute by a relationship that holds IDs, unless the map leaves the relationship out.
  mutating func add(_ reference: FeedReference, unlessRemovedBy map: inout FeedMap?) {
    guard let number = numbers[reference.kind], let target = numbers[reference.target] else { return }
    // The relationship can have the name of the attribute that it replaces.
    let replaced = entities[number].attributes.first { $0.member == [reference.member] }?.name
    let name =
      replaced == reference.relationshipName
      ? reference.relationshipName : names[number].take(reference.relationshipName)
    if let place = map?.entities.firstIndex(where: { $0.name == entities[number].name }),
      let removed = map?.entities[place].relationships.firstIndex(where: { $0.name == name && $0.member == nil })
    {
      map?.entities[place].relationships.remove(at: removed)
      return
    }
    entities[number].attributes.removeAll { $0.member == [reference.member] }
    let inverse = names[target].take(inverseName(of: number))
    entities[number].relationships.append(
      FeedMapping.Relationship(
        end: RelationshipEnd(name: name, isToMany: reference.isToMany), inverse: .toMany(inverse),
        member: [reference.member], target: target, isReference: true))
  }

  /// Returns a name that no member has, with a number at its end if needed.
  private func free(_ name: String, _ members: [FeedStructure.Member]) -> String {
    var free = name
    var number = 1
    while members.contains(where: { $0.name == free }) {
      number += 1
      free = "\(name)_\(number)"
    }
    return free
  }

  private func inverseName(of entity: Int) -> String {
    let name = entities[entity].name
    return name.prefix(1).lowercased() + name.dropFirst() + "s"
  }

  private mutating func unique(_ name: String) -> String {
    var unique = name
    var number = 1
    while !entityNames.insert(unique.uppercased()).inserted {
      number += 1
      unique = "\(name)\(number)"
    }
    return unique
  }
}

// MARK: - Sharing

extension FeedMapping {
  /// Returns the mapping with one-to-many relationships in place of those many-to-many ones whose targets each belong
  /// to one row.
  ///
  /// All records of the feed are read. Each row in a list takes two hashes.
  func separatingOwnedLists(_ reader: FeedReader) throws(WorkloadError) -> FeedMapping {
    let schema = try schema(model: nil)
    let lists = entities.indices.flatMap { entity in
      let toMany = entities[entity].relationships.indices.filter { entities[entity].relationships[$0].isToMany }
      return toMany.enumerated().filter { !entities[entity].relationships[$0.element].isReference }
        .map { (entity: entity, relationship: $0.element, place: $0.offset) }
    }
    guard !lists.isEmpty else { return self }
    // A target belongs to one row if it is in one pair.
    var targets = lists.map { _ in HashSet64() }
    var pairs = targets
    var isShared = lists.map { _ in false }
    try forEachGroup(reader, schema) { group in
      for record in group {
        for (number, list) in lists.enumerated()
        where schema.index(ofEntity: entities[list.entity].name) == record.entity {
          for target in record.lists[list.place] where !isShared[number] {
            let hash = ValueHash.of(target)
            let isNew = targets[number].insert(hash)
            if pairs[number].insert(ValueHash.mixed(hash, ValueHash.of(record.key))), !isNew {
              isShared[number] = true
              (targets[number], pairs[number]) = (HashSet64(), HashSet64())
            }
          }
        }
      }
    }
    var mapping = self
    for (number, list) in lists.enumerated() where !isShared[number] {
      let source = entities[list.entity]
      let target = source.relationships[list.relationship].target
      let used = Set(
        mapping.entities[target].attributes.map(\.name) + mapping.entities[target].relationships.map(\.name)
          + mapping.entities.flatMap { $0.relationships.filter { $0.target == target }.compactMap(\.inverse?.name) })
      let base = source.name.prefix(1).lowercased() + source.name.dropFirst()
      var name = String(base)
      var count = 1
      while used.contains(where: { $0.uppercased() == name.uppercased() }) || name == "note" {
        count += 1
        name = "\(base)_\(count)"
      }
      mapping.entities[list.entity].relationships[list.relationship].isCarriedByTarget = true
      mapping.entities[list.entity].relationships[list.relationship].inverse = .toOne(name)
    }
    return mapping
  }

  /// Calls a function with the group of each record that the mapping can convert.
  func forEachGroup(
    _ reader: FeedReader, _ schema: WorkloadSchema, _ body: ([ImportRecord]) -> Void
  ) throws(WorkloadError) {
    let mapper = RecordMapper(self, schema: schema)
    var place = 0
    do {
      try reader.forEachRecord { (record) throws(FeedError) in
        if let group = try? mapper.group(of: record, in: reader, at: place) { body(group.records) }
        place += 1
      }
    } catch {
      throw WorkloadError(error)
    }
  }
}

extension WorkloadError {
  /// Creates the error of a feed that cannot be read.
  init(_ error: FeedError) {
    self.init(
      error.code == .unreadable ? .unreadableFile : .damagedFeed, error.message, path: error.path, line: error.line)
  }
}
