import MachineCore

extension FeedMapping {
  /// Matches the records of a feed with the entities of a model.
  ///
  /// The key of an entity is the attribute that takes the records' ID. If there is none, it is a uniqueness constraint
  /// whose attributes are all mapped, else an attribute that has a value of its own in each row, else all mapped
  /// attributes together.
  ///
  /// A map replaces parts of the matching before keys are chosen and required values are looked for.
  ///
  /// - Throws: `WorkloadError` if no member has a match, if rows need a value that no member gives, or if the map does
  ///   not fit the feed or the model.
  static func match(
    _ structure: FeedStructure, with model: ModelDocument, reader: FeedReader, map: FeedMap? = nil
  ) throws(WorkloadError) -> FeedMapping {
    let matched =
      if let map, let name = map.records {
        try ModelMatching.matching(structure, model: model, entity: name, map: map)
      } else {
        ModelMatching.best(structure, model: model, fileName: fileName(reader))
      }
    guard let matching = matched else { throw noMatch(structure, reader: reader) }
    var mapping = FeedMapping(matching, shape: reader.shape)
    if let map {
      var resolution = MapResolution(map, structure, model, mapping)
      mapping = try resolution.resolve()
    }
    if let first = mapping.missingRequirements(model, path: reader.path).first { throw first }
    try mapping.chooseKeys(model: model, structure: structure, reader: reader)
    return mapping
  }

  /// Creates the mapping of a matching.
  init(_ matching: ModelMatching, shape: FeedShape) {
    self.init(
      shape: shape, entities: matching.entities, unmatched: matching.unmatched.sorted { $0.bytesPrecede($1) })
  }

  /// Returns the name of a feed's file without its folder.
  static func fileName(_ reader: FeedReader) -> String {
    reader.path.split(separator: "/").last.map(String.init) ?? reader.path
  }

  /// Returns the error of a feed of which no member matches a property of the model.
  static func noMatch(_ structure: FeedStructure, reader: FeedReader) -> WorkloadError {
    let members = structure.kinds[0].members.map(\.name).sorted { $0.bytesPrecede($1) }
    return WorkloadError(
      .damagedFeed,
      "no member of the records matches a property of the model: \(NameList.text(members)); "
        + "name the entity of the records and the matches in a map file", path: reader.path)
  }

  /// Returns an error for each entity with properties that a save requires and that have no value.
  func missingRequirements(_ model: ModelDocument, path: String) -> [WorkloadError] {
    entities.compactMap { entity in
      let missing = model.missingRequirements(of: entity).filter { $0 != entity.key.addedAttribute }
      guard !missing.isEmpty else { return nil }
      return WorkloadError(
        .damagedFeed,
        "no member of the records gives \(entity.name).\(missing.joined(separator: " and \(entity.name)."))"
          + ", which the model requires; give a member or a value in a map file", path: path)
    }
  }

  // MARK: Keys

  /// Chooses the keys of the entities that have no key yet.
  ///
  /// - Throws: `WorkloadError` if an entity has no attribute that can be a key, or if the feed cannot be read.
  mutating func chooseKeys(
    model: ModelDocument, structure: FeedStructure, reader: FeedReader
  ) throws(WorkloadError) {
    var undecided: [Int] = []
    for index in entities.indices where entities[index].key.attributeNames.isEmpty {
      let mapped = Set(entities[index].attributes.filter(\.type.canBeInKey).map(\.name))
      let id = index == 0 ? structure.kinds[0].id?.name : nil
      let recordID = entities[index].attributes.first { id.map { [$0] } == $0.member && $0.type.isKeyType }
      let own =
        recordID
        ?? entities[index].attributes.first { attribute in
          attribute.member.count == 1 && Self.isKeyMember(attribute.member[0], of: entities[index].name)
            && attribute.type.isKeyType && isComplete(attribute.member[0], of: index, in: structure)
        }
      let constraints = model.entity(entities[index].name).map { entity in
        model.lineage(of: entity).flatMap { $0.uniquenessConstraints.map(\.properties) }
      }
      if let own {
        entities[index].key = .attributes([own.name])
      } else if let constraint = constraints?.first(where: { mapped.isSuperset(of: $0) }) {
        entities[index].key = .attributes(constraint)
      } else {
        undecided.append(index)
        entities[index].key = .attributes(Self.inKeyOrder(entities[index].attributes).map(\.name))
        guard !entities[index].key.attributeNames.isEmpty else {
          throw WorkloadError(
            .damagedFeed,
            "no member of the records gives an attribute of \(entities[index].name), so that its rows have "
              + "no key; name one in a map file", path: reader.path)
        }
      }
    }
    if !undecided.isEmpty { try shortenKeys(of: undecided, model: model, reader: reader) }
  }

  /// Replaces keys of all attributes by a single attribute that distinguishes as many rows.
  ///
  /// All records are read. The memory grows with the number of different rows.
  private mutating func shortenKeys(
    of undecided: [Int], model: ModelDocument, reader: FeedReader
  ) throws(WorkloadError) {
    let schema = try schema(model: model)
    struct Candidate {
      var entity: Int
      var place: Int
      var name: String
      var values: Set<FieldValue> = []
      var isMissing = false
    }
    var rows = undecided.map { _ in Set<RecordKey>() }
    var candidates = undecided.map { index in
      entities[index].key.attributeNames.compactMap { name -> Candidate? in
        guard let place = entities[index].attributes.firstIndex(where: { $0.name == name }),
          entities[index].attributes[place].type.isKeyType,
          !entities[index].attributes[place].type.isInteger
            || Self.keyWords.contains(EntityNaming.words(name).last ?? "")
        else { return nil }
        return Candidate(entity: schema.index(ofEntity: entities[index].name) ?? 0, place: place, name: name)
      }.prefix(4).map(\.self)
    }
    let numbers = undecided.map { schema.index(ofEntity: entities[$0].name) ?? 0 }
    try forEachGroup(reader, schema) { group in
      for record in group {
        for (number, entity) in numbers.enumerated() where record.entity == entity {
          rows[number].insert(record.key)
          for index in candidates[number].indices {
            let value = record.values[candidates[number][index].place]
            if value == .null { candidates[number][index].isMissing = true }
            candidates[number][index].values.insert(value)
          }
        }
      }
    }
    for (number, index) in undecided.enumerated() {
      let single = candidates[number].first { !$0.isMissing && $0.values.count == rows[number].count }
      if let single { entities[index].key = .attributes([single.name]) }
    }
  }

  /// The last words of names of integers that may be keys. Other integers differ in each row by chance only.
  private static let keyWords: Set<String> = ["id", "number", "no", "code", "key", "index", "identifier", "pk"]

  /// Returns the attributes that a key can consist of, with those that distinguish rows best by experience first.
  private static func inKeyOrder(_ attributes: [Attribute]) -> [Attribute] {
    let names = ["name", "title", "code", "number", "slug", "email", "url", "label"]
    func rank(_ attribute: Attribute) -> Int {
      let typeRank = attribute.type.isKeyType ? 0 : 100
      return typeRank
        + (names.firstIndex { attribute.name.lowercased().hasSuffix($0) } ?? (attribute.type == .string ? 50 : 60))
    }
    return attributes.filter(\.type.canBeInKey).enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
  }

  private static func isKeyMember(_ member: String, of entity: String) -> Bool {
    let plain = EntityNaming.plain(member)
    return ["id", "uuid", "guid", "pk", "key", "identifier", "remoteid"].contains(plain)
      || plain == EntityNaming.plain(entity) + "id"
  }

  private func isComplete(_ member: String, of index: Int, in structure: FeedStructure) -> Bool {
    structure.kinds.contains { kind in
      (kind.keyMember != member || kind.idName == member)
        && kind.member(member).map { $0.presentCount == kind.count && !$0.objects && !$0.lists } ?? false
    }
  }
}

extension ValueType {
  /// True if a fetch can find rows by their values of the type.
  var canBeInKey: Bool { self != .binary && self != .transformable }
  /// True if a single attribute of the type can be a key.
  var isKeyType: Bool { isInteger || self == .string || self == .uuid || self == .uri }
}
