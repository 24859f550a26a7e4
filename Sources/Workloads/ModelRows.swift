import Foundation
import MachineCore
import ModelReading

/// Generates groups of rows that satisfy the rules of a model: required values and relationships, counts, ranges,
/// lengths and uniqueness.
///
/// The main rows of successive groups belong to the model's entities in turn. A group has the rows that its main row
/// requires and that cannot be chosen among earlier rows of the lane.
final class ModelRows: RecordGroups {
  let schema: WorkloadSchema
  let remarks: [String]
  let entities: [Entity]
  var lanes: [Lane]
  /// The number of rows of all lanes, which makes keys different.
  var rowCount: Int64 = 0
  /// The values of a starting store that no other row may have, or nil without such a store.
  private(set) var taken: StoredUniqueness?

  struct Entity {
    var index: Int
    var attributes: [Attribute]
    var uniqueGroups: [UniqueGroup]
    var links: [End]
    var lists: [End]
    /// The required relationships that rows of the other end carry.
    var mirrored: [Mirrored]
  }

  struct Attribute {
    var mapped: FeedMapping.Attribute
    /// True if a string has a pattern.
    var hasPattern: Bool
    /// The source of texts that match the pattern, or nil without a pattern or without such texts.
    var pattern: PatternText?
  }

  /// The attributes of a key or of a uniqueness constraint.
  struct UniqueGroup {
    /// The places of the attributes among those of the entity.
    var places: [Int]
    /// False if the constraint has relationships too, so that rows with equal attributes may be different.
    var isComplete: Bool
  }

  /// A relationship that rows of the entity carry.
  struct End {
    var name: String
    /// The entities, among `entities`, that a target can have.
    var targets: [Int]
    var minCount: Int
    var maxCount: Int
    /// The number of rows that may lead to one target, or nil without a limit.
    var targetLimit: Int?
  }

  struct Mirrored {
    /// The entities, among `entities`, whose rows carry the relationship.
    var sources: [Int]
    /// The name of the carrying relationship.
    var name: String
    var minCount: Int
  }

  struct Row {
    var key: RecordKey
    /// The number of rows that lead to this one by each relationship with a limit.
    var uses: [String: Int] = [:]
  }

  struct Lane {
    var random: SeededRandom
    var values: RecordValues
    var rows: [[Row]]
    var next = 0
  }

  private static let deepestGroup = 12

  /// - Throws: `WorkloadError` if the model has no entity that can be filled.
  init(_ model: ModelDocument, seed: UInt64, laneCount: Int) throws(WorkloadError) {
    let (mapping, withoutKey, unsatisfied) = FeedMapping.generated(model)
    var schema = try mapping.schema(model: model)
    schema.hasGroups = true
    schema.widenTargets(in: model)
    guard !mapping.entities.isEmpty else {
      throw WorkloadError(
        .damagedFeed,
        "no entity of the model has an attribute that can distinguish rows; add a string, a UUID or an integer"
          + Self.withoutImport(model), path: model.place)
    }
    var remarks: [String] = []
    if !withoutKey.isEmpty {
      remarks.append(
        "no rows are generated for \(NameList.text(withoutKey)), which have no attribute that can "
          + "be a key")
    }
    for relationship in unsatisfied {
      remarks.append(
        "no rows are generated for \(relationship.prefix { $0 != "." }), because \(relationship) requires rows that are "
          + "not generated")
    }
    if mapping.entities.allSatisfy({ $0.editedAttribute == nil }) {
      remarks.append("no entity has an optional string attribute that can be left free, so the user edits nothing")
    }
    self.remarks = remarks
    self.schema = schema
    entities = mapping.entities.map { entity in
      Self.entity(entity, mapping, model, schema)
    }
    lanes = (0..<laneCount).map { lane in
      Lane(
        random: SeededRandom(seed: seed, stream: "model rows of lane \(lane)"),
        values: RecordValues(random: SeededRandom(seed: seed, stream: "model values of lane \(lane)")),
        rows: Array(repeating: [], count: mapping.entities.count))
    }
  }

  /// Returns the end of a message, with the first attribute of the model that is not imported because of its type.
  private static func withoutImport(_ model: ModelDocument) -> String {
    for entity in model.entities {
      for attribute in entity.attributes where WorkloadSchema.AttributeType(attribute.type) == nil {
        return "; \(entity.name).\(attribute.name) is \(attribute.type.rawValue), which is not imported"
      }
    }
    return ""
  }

  private static func entity(
    _ mapped: FeedMapping.Entity, _ mapping: FeedMapping, _ model: ModelDocument, _ schema: WorkloadSchema
  ) -> Entity {
    let index = schema.index(ofEntity: mapped.name) ?? 0
    let described = model.entities[index]
    let relationships = model.allRelationships(of: described)
    func family(_ name: String) -> [Int] {
      mapping.entities.indices.filter { number in
        model.entity(mapping.entities[number].name).map { model.isKind($0, of: name) } ?? false
      }
    }
    func end(_ name: String) -> End {
      let relationship = relationships.first { $0.name == name }
      let inverse = relationship.flatMap { model.inverse(of: $0) }
      let isRequired = relationship.map { !$0.isOptional } ?? false
      // Rows with a key of another entity cannot be found by the key of the relationship's target.
      let target =
        (schema.entities[index].links.map { ($0.name, $0.targetEntity) }
        + schema.entities[index].lists.map { ($0.name, $0.targetEntity) }).first { $0.0 == name }?.1
      let root = target.flatMap(schema.index(ofEntity:)).map { schema.keyRoot(of: $0) }
      let targets = family(relationship?.destination ?? "").filter { number in
        schema.index(ofEntity: mapping.entities[number].name).map { schema.keyRoot(of: $0) } == root
      }
      return End(
        name: name, targets: targets,
        minCount: isRequired ? max(1, relationship?.minCount ?? 1) : 0,
        maxCount: relationship.map { $0.isToMany ? ($0.maxCount > 0 ? $0.maxCount : 3) : 1 } ?? 1,
        targetLimit: inverse.flatMap { $0.isToMany ? ($0.maxCount > 0 ? $0.maxCount : nil) : 1 })
    }
    let attributes = mapped.attributes.map {
      Attribute(mapped: $0, hasPattern: $0.range.regularExpression != nil, pattern: PatternText($0.range))
    }
    let constraints = model.lineage(of: described).flatMap { $0.uniquenessConstraints.map(\.properties) }
    let mirrored = relationships.filter { !$0.isOptional && !model.carries($0, of: described) }.map { relationship in
      Mirrored(
        sources: family(relationship.destination), name: relationship.inverse ?? "",
        minCount: max(1, relationship.minCount))
    }
    return Entity(
      index: index, attributes: attributes,
      uniqueGroups: ([mapped.key.attributeNames] + constraints).map { names in
        let places = names.compactMap { name in mapped.attributes.firstIndex { $0.name == name } }
        return UniqueGroup(places: places, isComplete: places.count == names.count)
      },
      links: schema.entities[index].links.map { end($0.name) },
      lists: schema.entities[index].lists.map { end($0.name) },
      mirrored: mirrored)
  }
}

// MARK: - Groups

extension ModelRows {
  /// Returns the group of the lane's next row.
  ///
  /// - Throws: `WorkloadError` if no rows satisfy the rules of the model.
  func next(lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup {
    let number = lanes[lane].next % entities.count
    lanes[lane].next += 1
    return try group(of: number, lane: lane, isThere)
  }

  func next(of entity: Int, lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup {
    guard let number = entities.firstIndex(where: { $0.index == entity }) else {
      fatalError("no rows are generated for \(schema.entities[entity].name)")
    }
    return try group(of: number, lane: lane, isThere)
  }

  /// Returns a group whose main row is of an entity.
  private func group(
    of number: Int, lane: Int, _ isThere: (Int, RecordKey) -> Bool
  ) throws(WorkloadError) -> RecordGroup {
    var records: [ImportRecord] = []
    let key = try add(number, lane, Requirement(), depth: 0, isThere, to: &records)
    let main = records.firstIndex { $0.entity == entities[number].index && $0.key == key } ?? 0
    return RecordGroup(records, main: main)
  }

  /// The relationship for which a new row is added.
  private struct Requirement {
    /// The relationship of the new row that must lead to an earlier row, with the earlier row's key.
    var back: (name: String, key: RecordKey)?
    /// The relationship of an earlier row that will lead to the new row.
    var incoming: String?
  }

  /// Adds a new row of an entity, and the rows that it requires, and returns its key.
  private func add(
    _ number: Int, _ lane: Int, _ requirement: Requirement, depth: Int,
    _ isThere: (Int, RecordKey) -> Bool, to records: inout [ImportRecord]
  ) throws(WorkloadError) -> RecordKey {
    let entity = entities[number]
    guard depth < Self.deepestGroup else {
      throw WorkloadError(
        .damagedFeed,
        "rows of \(schema.entities[entity.index].name) require further rows without end; give a feed with rows that "
          + "satisfy the model", path: schema.model?.place)
    }
    let values = try values(of: entity, lane)
    let described = schema.entities[entity.index]
    guard let key = described.key(of: values) else {
      throw WorkloadError(.damagedFeed, "\(described.name) has no key", path: schema.model?.place)
    }
    var links: [RecordKey?] = []
    for link in entity.links {
      if let back = requirement.back, back.name == link.name {
        links.append(back.key)
      } else {
        links.append(try targets(of: link, lane, depth, isThere, &records).first)
      }
    }
    var lists: [[RecordKey]] = []
    for list in entity.lists {
      if let back = requirement.back, back.name == list.name {
        lists.append(try targets(of: list, lane, depth, isThere, &records, besides: back.key) + [back.key])
      } else {
        lists.append(try targets(of: list, lane, depth, isThere, &records))
      }
    }
    records.append(ImportRecord(entity: entity.index, key: key, values: values, links: links, lists: lists))
    let place = lanes[lane].rows[number].count
    lanes[lane].rows[number].append(Row(key: key))
    if let incoming = requirement.incoming { lanes[lane].rows[number][place].uses[incoming] = 1 }
    for mirrored in entity.mirrored {
      let count = mirrored.minCount - (mirrored.name == requirement.incoming ? 1 : 0)
      guard count > 0 else { continue }
      // The rows that follow count before they are added, so that no other row takes their place.
      lanes[lane].rows[number][place].uses[mirrored.name, default: 0] += count
      guard let source = mirrored.sources.first else {
        throw WorkloadError(
          .damagedFeed, "\(described.name) requires rows of an entity without a key", path: schema.model?.place)
      }
      for _ in 0..<count {
        _ = try add(
          source, lane, Requirement(back: (mirrored.name, key)), depth: depth + 1, isThere, to: &records)
      }
    }
    return key
  }

  /// Returns the targets of a relationship: earlier rows of the lane, or new ones if the relationship requires more.
  ///
  /// `other` is the key of a further target, which the result does not contain.
  private func targets(
    of end: End, _ lane: Int, _ depth: Int, _ isThere: (Int, RecordKey) -> Bool, _ records: inout [ImportRecord],
    besides other: RecordKey? = nil
  ) throws(WorkloadError) -> [RecordKey] {
    guard !end.targets.isEmpty else { return [] }
    let minCount = max(0, end.minCount - (other == nil ? 0 : 1))
    let maxCount = end.maxCount - (other == nil ? 0 : 1)
    guard maxCount > 0 else { return [] }
    let wanted = max(minCount, lanes[lane].random.below(4) == 0 ? 0 : 1 + lanes[lane].random.below(maxCount))
    var keys: [RecordKey] = []
    for _ in 0..<2 * wanted where keys.count < wanted {
      let number = end.targets[lanes[lane].random.below(end.targets.count)]
      let count = lanes[lane].rows[number].count
      guard count > 0 else { continue }
      let place = lanes[lane].random.below(count)
      let row = lanes[lane].rows[number][place]
      if let limit = end.targetLimit, row.uses[end.name, default: 0] >= limit { continue }
      guard row.key != other, !keys.contains(row.key), isThere(entities[number].index, row.key) else { continue }
      keys.append(row.key)
      if end.targetLimit != nil { lanes[lane].rows[number][place].uses[end.name, default: 0] += 1 }
    }
    while keys.count < minCount {
      keys.append(
        try add(end.targets[0], lane, Requirement(incoming: end.name), depth: depth + 1, isThere, to: &records))
    }
    return keys
  }
}

// MARK: - Rows of a store

extension ModelRows {
  var mainEntities: [Int] { entities.map(\.index) }

  /// Makes rows of a store possible targets of new rows, except those that other relationships lead to.
  func start(from start: StartingRows, _ records: [[ImportRecord]]) {
    taken = StoredUniqueness(schema, start)
    let uses = start.useCounts(schema)
    for (lane, records) in records.enumerated() {
      for record in records where !start.boundRows[record.entity].contains(record.key) {
        guard let number = entities.firstIndex(where: { $0.index == record.entity }) else { continue }
        let root = schema.keyRoot(of: record.entity)
        lanes[lane].rows[number].append(Row(key: record.key, uses: uses[root]?[record.key] ?? [:]))
      }
    }
  }
}

// MARK: - Targets

extension WorkloadSchema {
  /// Makes the destination of each relationship its target if the destination has the same key as the entity that was
  /// its target so far. Rows of all entities that inherit from the destination can then be targets.
  fileprivate mutating func widenTargets(in model: ModelDocument) {
    func wide(_ name: String, _ target: String, of entity: Entity) -> String {
      guard let described = model.entity(entity.name),
        let destination = model.allRelationships(of: described).first(where: { $0.name == name })?.destination,
        let index = index(ofEntity: destination), let known = self.index(ofEntity: target),
        !entities[index].keyIndexes.isEmpty, keyRoot(of: index) == keyRoot(of: known)
      else { return target }
      return destination
    }
    for index in entities.indices {
      let entity = entities[index]
      for place in entity.links.indices {
        entities[index].links[place].targetEntity = wide(
          entity.links[place].name, entity.links[place].targetEntity, of: entity)
      }
      for place in entity.lists.indices {
        entities[index].lists[place].targetEntity = wide(
          entity.lists[place].name, entity.lists[place].targetEntity, of: entity)
      }
    }
  }
}
