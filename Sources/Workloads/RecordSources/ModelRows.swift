import Foundation
import MachineCore

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
  /// The number of rows of each table.
  var tableCounts: [Int64]
  /// The values of a starting store that no other row may have, or nil without such a store.
  private(set) var taken: StoredUniqueness?

  struct Entity {
    var index: Int
    /// The index of the entity whose table has the rows.
    var tableRoot: Int
    var attributes: [Attribute]
    var uniqueGroups: [UniqueGroup]
    var links: [End]
    var lists: [End]
    /// The required relationships that rows of the other end carry.
    var mirrored: [Mirrored]
  }

  struct Attribute {
    var mapped: FeedMapping.Attribute
    var distinctValues: DistinctValues
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
    /// True if each attribute has a limited number of values, so that rows of other tables do not use any up.
    var isLimited: Bool
  }

  /// A relationship that rows of the entity carry.
  struct End {
    var name: String
    var declared: WorkloadSchema.DeclaredRelationship
    /// The entities, among `entities`, that a target can have.
    var targets: [Int]
    /// The least number of targets of a row that has any.
    var minCount: Int
    /// True if each row needs targets.
    var isRequired: Bool
    /// The greatest number of targets that a row gets by choice.
    var maxCount: Int
    /// The greatest number of targets that the model allows, or nil without a limit.
    var limit: Int?
    /// The number of rows that may lead to one target, or nil without a limit.
    var targetLimit: Int?
    /// True if the rows that lead to a target are counted: it has a minimum or a limit of them.
    var countsUses: Bool
    /// True if a target may have no row that leads to it, or several, but not one.
    var targetNeedsSeveral: Bool
    /// True if the relationship is its own inverse.
    var isSymmetric: Bool
  }

  /// A relationship to the entity that rows of the other end carry, and that has a minimum.
  struct Mirrored {
    /// The entities, among `entities`, whose rows carry the relationship.
    var sources: [Int]
    /// The carrying relationship.
    var declared: WorkloadSchema.DeclaredRelationship
    var minCount: Int
    /// True if each row needs rows that lead to it.
    var isRequired: Bool
  }

  struct Row {
    var key: RecordKey
    /// The number of rows that lead to this one by each relationship with a minimum or a limit.
    var uses: [WorkloadSchema.DeclaredRelationship: Int] = [:]
  }

  struct Lane {
    var random: SeededRandom
    var values: RecordValues
    var rows: [[Row]]
    var next = 0
  }

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
    tableCounts = schema.entities.map { _ in 0 }
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
      for attribute in entity.attributes where attribute.type.valueType == nil {
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
      // Rows with a key of another entity cannot be found by the key of the relationship's target.
      let target = schema.entities[index].relationships.first { $0.name == name }?.targetEntity
      let known = target.flatMap(schema.index(ofEntity:)) ?? index
      var targets = family(relationship?.destination ?? "").filter { number in
        schema.index(ofEntity: mapping.entities[number].name).map { schema.keyRoot(of: $0) }
          == schema.keyRoot(of: known)
      }
      let declared = schema.declaration(of: name, in: index)
      let isSymmetric = inverse.map { schema.declaration(of: $0.name, in: known) == declared } ?? false
      let minCount = relationship.map { $0.isToMany ? $0.minCount : 1 } ?? 1
      let limit = relationship.flatMap { $0.isToMany ? ($0.maxCount > 0 ? $0.maxCount : nil) : 1 }
      // A to-many relationship without an inverse is a key in the target's row.
      let hasOneSource = inverse.map { !$0.isToMany } ?? relationship?.isToMany ?? false
      let targetLimit = hasOneSource ? 1 : inverse.flatMap { $0.maxCount > 0 ? $0.maxCount : nil }
      let isRequired = relationship.map { $0.leastCount > 0 } ?? false
      let needsSeveral = inverse.map { $0.isToMany && $0.isOptional && $0.minCount > 1 } ?? false
      // The relationship stays empty if both of its ends have several rows or no row.
      if needsSeveral, !isRequired, minCount > 1 { targets = [] }
      // A key of another entity cannot lead back.
      if isSymmetric, schema.keyRoot(of: known) != schema.keyRoot(of: index) { targets = [] }
      return End(
        name: name, declared: declared, targets: targets, minCount: minCount, isRequired: isRequired,
        maxCount: limit ?? max(3, minCount), limit: limit, targetLimit: targetLimit,
        countsUses: isSymmetric || targetLimit != nil || inverse?.minCount ?? 0 > 0,
        targetNeedsSeveral: needsSeveral, isSymmetric: isSymmetric)
    }
    let attributes = mapped.attributes.map {
      Attribute(
        mapped: $0, distinctValues: DistinctValues($0), hasPattern: $0.regularExpression != nil,
        pattern: PatternText($0.declaration))
    }
    let constraints = model.lineage(of: described).flatMap { $0.uniquenessConstraints.map(\.properties) }
    let mirrored = relationships.filter { relationship in
      !model.carries(relationship, of: described)
        && (relationship.leastCount > 0 || relationship.isToMany && relationship.minCount > 1)
    }.map { relationship in
      let destination = schema.index(ofEntity: relationship.destination) ?? index
      return Mirrored(
        sources: family(relationship.destination),
        declared: schema.declaration(of: relationship.inverse ?? "", in: destination),
        minCount: relationship.isToMany ? relationship.minCount : 1, isRequired: relationship.leastCount > 0)
    }
    return Entity(
      index: index, tableRoot: schema.tableRoot(of: index), attributes: attributes,
      uniqueGroups: ([mapped.key.attributeNames] + constraints).map { names in
        let places = names.compactMap { name in mapped.attributes.firstIndex { $0.name == name } }
        return UniqueGroup(
          places: places, isComplete: places.count == names.count,
          isLimited: places.allSatisfy { attributes[$0].distinctValues.count != nil })
      },
      links: schema.entities[index].links.map { end($0.name) },
      lists: schema.entities[index].lists.map { end($0.name) },
      mirrored: mirrored)
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
    for index in entities.indices {
      guard let described = model.entity(entities[index].name) else { continue }
      let declared = model.allRelationships(of: described)
      func widened(_ relationship: Relationship) -> Relationship {
        guard let destination = declared.first(where: { $0.name == relationship.name })?.destination,
          let wide = self.index(ofEntity: destination), let known = self.index(ofEntity: relationship.targetEntity),
          !entities[wide].keyIndexes.isEmpty, keyRoot(of: wide) == keyRoot(of: known)
        else { return relationship }
        return Relationship(relationship.end, to: destination, inverse: relationship.inverse)
      }
      entities[index].links = entities[index].links.map(widened)
      entities[index].lists = entities[index].lists.map(widened)
    }
  }
}
