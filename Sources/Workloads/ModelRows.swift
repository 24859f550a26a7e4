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
  private let entities: [Entity]
  private var lanes: [Lane]
  /// The number of rows of all lanes, which makes keys different.
  private var rowCount: Int64 = 0
  /// The values of a starting store that no other row may have, or nil without such a store.
  private var taken: StoredUniqueness?

  private struct Entity {
    var index: Int
    var attributes: [Attribute]
    var uniqueGroups: [[Int]]
    var links: [End]
    var lists: [End]
    /// The required relationships that rows of the other end carry.
    var mirrored: [Mirrored]
  }

  private struct Attribute {
    var mapped: FeedMapping.Attribute
    /// True if a string has a pattern, of which no values are generated.
    var hasPattern: Bool
  }

  /// A relationship that rows of the entity carry.
  private struct End {
    var name: String
    /// The entities, among `entities`, that a target can have.
    var targets: [Int]
    var minCount: Int
    var maxCount: Int
    /// The number of rows that may lead to one target, or nil without a limit.
    var targetLimit: Int?
  }

  private struct Mirrored {
    /// The entities, among `entities`, whose rows carry the relationship.
    var sources: [Int]
    /// The name of the carrying relationship.
    var name: String
    var minCount: Int
  }

  private struct Row {
    var key: RecordKey
    /// The number of rows that lead to this one by each relationship with a limit.
    var uses: [String: Int] = [:]
  }

  private struct Lane {
    var random: SeededRandom
    var values: RecordValues
    var rows: [[Row]]
    var next = 0
  }

  private static let deepestGroup = 12

  /// - Throws: `WorkloadError` if the model has no entity that can be filled.
  init(_ model: ModelDocument, seed: UInt64, laneCount: Int) throws(WorkloadError) {
    let (mapping, withoutKey) = FeedMapping.generated(model)
    var schema = try mapping.schema(model: model)
    schema.hasGroups = true
    guard !mapping.entities.isEmpty else {
      throw WorkloadError(
        .damagedFeed,
        "no entity of the model has an attribute that can distinguish rows; add a string, a UUID or an integer"
          + Self.withoutImport(model), path: model.place)
    }
    var remarks: [String] = []
    if !withoutKey.isEmpty {
      remarks.append(
        "no rows are generated for \(withoutKey.joined(separator: ", ")), which have no attribute that can "
          + "be a key")
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
      return End(
        name: name, targets: family(relationship?.destination ?? ""),
        minCount: isRequired ? max(1, relationship?.minCount ?? 1) : 0,
        maxCount: relationship.map { $0.isToMany ? ($0.maxCount > 0 ? $0.maxCount : 3) : 1 } ?? 1,
        targetLimit: inverse.flatMap { $0.isToMany ? ($0.maxCount > 1 ? $0.maxCount : nil) : 1 })
    }
    let attributes = mapped.attributes.map {
      Attribute(mapped: $0, hasPattern: $0.range.regularExpression != nil)
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
        names.compactMap { name in mapped.attributes.firstIndex { $0.name == name } }
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
    var records: [ImportRecord] = []
    let key = try add(number, lane, back: nil, depth: 0, isThere, to: &records)
    let main = records.firstIndex { $0.entity == entities[number].index && $0.key == key } ?? 0
    return RecordGroup(records, main: main)
  }

  /// Adds a new row of an entity, and the rows that it requires, and returns its key.
  private func add(
    _ number: Int, _ lane: Int, back: (name: String, key: RecordKey)?, depth: Int,
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
      if let back, back.name == link.name {
        links.append(back.key)
      } else {
        links.append(try targets(of: link, lane, depth, isThere, &records).first)
      }
    }
    var lists: [[RecordKey]] = []
    for list in entity.lists {
      var keys = try targets(of: list, lane, depth, isThere, &records)
      if let back, back.name == list.name, !keys.contains(back.key) { keys.append(back.key) }
      lists.append(keys)
    }
    records.append(ImportRecord(entity: entity.index, key: key, values: values, links: links, lists: lists))
    lanes[lane].rows[number].append(Row(key: key))
    for mirrored in entity.mirrored {
      guard let source = mirrored.sources.first else {
        throw WorkloadError(
          .damagedFeed, "\(described.name) requires rows of an entity without a key", path: schema.model?.place)
      }
      for _ in 0..<mirrored.minCount {
        _ = try add(source, lane, back: (mirrored.name, key), depth: depth + 1, isThere, to: &records)
      }
    }
    return key
  }

  /// Returns the targets of a relationship: earlier rows of the lane, or new ones if the relationship requires more.
  private func targets(
    of end: End, _ lane: Int, _ depth: Int, _ isThere: (Int, RecordKey) -> Bool, _ records: inout [ImportRecord]
  ) throws(WorkloadError) -> [RecordKey] {
    guard !end.targets.isEmpty else { return [] }
    let wanted = max(end.minCount, lanes[lane].random.below(4) == 0 ? 0 : 1 + lanes[lane].random.below(end.maxCount))
    var keys: [RecordKey] = []
    for _ in 0..<2 * wanted where keys.count < wanted {
      let number = end.targets[lanes[lane].random.below(end.targets.count)]
      let count = lanes[lane].rows[number].count
      guard count > 0 else { continue }
      let place = lanes[lane].random.below(count)
      let row = lanes[lane].rows[number][place]
      if let limit = end.targetLimit, row.uses[end.name, default: 0] >= limit { continue }
      guard !keys.contains(row.key), isThere(entities[number].index, row.key) else { continue }
      keys.append(row.key)
      if end.targetLimit != nil { lanes[lane].rows[number][place].uses[end.name, default: 0] += 1 }
    }
    while keys.count < end.minCount {
      let number = end.targets[0]
      keys.append(try add(number, lane, back: nil, depth: depth + 1, isThere, to: &records))
      if end.targetLimit != nil {
        lanes[lane].rows[number][lanes[lane].rows[number].count - 1].uses[end.name, default: 0] += 1
      }
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

// MARK: - Values

extension ModelRows {
  var makesValues: Bool { true }

  /// Returns new values for a row.
  func values(of record: ImportRecord, lane: Int) throws(WorkloadError) -> [FieldValue]? {
    guard let entity = entities.first(where: { $0.index == record.entity }) else { return record.values }
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity, lane)) }
    return values
  }

  private func values(of entity: Entity, _ lane: Int) throws(WorkloadError) -> [FieldValue] {
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity, lane)) }
    // Each row of a starting store can take one number away.
    for _ in 0...(taken?.rowCount ?? 0) {
      for group in entity.uniqueGroups { setUnique(&values, group, entity, rowCount) }
      rowCount += 1
      if taken?.isTaken(values, of: entity.index) != true { return values }
    }
    throw WorkloadError(
      .unusableStore,
      "the store has all values that can be generated for the key of \(schema.entities[entity.index].name); use a feed")
  }

  private func value(
    of attribute: Attribute, _ entity: Entity, _ lane: Int
  ) throws(WorkloadError) -> FieldValue {
    let mapped = attribute.mapped
    if attribute.hasPattern {
      if let value = mapped.defaultValue?.fieldValue { return value }
      guard mapped.isOptional else {
        throw WorkloadError(
          .damagedFeed,
          "\(schema.entities[entity.index].name).\(mapped.name) must match \(mapped.range.regularExpression ?? ""), and no "
            + "such values are generated; give a feed", path: schema.model?.place)
      }
      return .null
    }
    let plain = lanes[lane].values.value(for: WorkloadSchema.Attribute(name: mapped.name, type: mapped.type))
    return Self.fitted(plain, to: mapped, &lanes[lane].random)
  }

  /// Returns a value within the range of an attribute.
  private static func fitted(
    _ value: FieldValue, to attribute: FeedMapping.Attribute, _ random: inout SeededRandom
  ) -> FieldValue {
    let minimum = attribute.range.minimum?.fieldValue
    let maximum = attribute.range.maximum?.fieldValue
    switch value {
    case .string(let text):
      var fitted = text
      if let most = attribute.range.maximumLength { fitted = String(fitted.prefix(most)) }
      if let least = attribute.range.minimumLength, fitted.count < least {
        fitted += String(repeating: "a", count: least - fitted.count)
      }
      return .string(fitted)
    case .integer(let number):
      let low = minimum?.wholeNumber ?? min(0, maximum?.wholeNumber ?? 0)
      let high = max(low, maximum?.wholeNumber ?? max(low, low.addingReportingOverflow(1_000_000).partialValue))
      let (span, overflows) = high.subtractingReportingOverflow(low)
      if number >= low, number <= high { return value }
      return .integer(overflows || span == .max ? low : low + Int64(random.below(Int(span) + 1)))
    default:
      if let minimum, value.precedes(minimum) { return minimum }
      if let maximum, maximum.precedes(value) { return maximum }
      return attribute.type == .float ? value.asFloat : value
    }
  }

  /// Gives the attributes of a uniqueness constraint values that no other row has together.
  private func setUnique(_ values: inout [FieldValue], _ places: [Int], _ entity: Entity, _ number: Int64) {
    var rest = number
    let order = places.sorted { rank(entity.attributes[$0].mapped.type) < rank(entity.attributes[$1].mapped.type) }
    for (index, place) in order.enumerated() {
      let mapped = entity.attributes[place].mapped
      let (value, carried) = Self.unique(rest, mapped)
      guard let value else { continue }
      values[place] = value
      rest = carried
      if rest == 0, index == 0 { return }
    }
  }

  private func rank(_ type: WorkloadSchema.AttributeType) -> Int {
    switch type {
    case .uuid: 0
    case .string, .uri: 1
    case .integer64: 2
    case .integer32: 3
    case .date, .double, .decimal: 4
    case .integer16: 5
    case .float, .boolean, .binary, .transformable: 6
    }
  }

  /// Returns the value of a row by its number, and the part of the number that the value cannot hold.
  private static func unique(_ number: Int64, _ attribute: FeedMapping.Attribute) -> (FieldValue?, rest: Int64) {
    switch attribute.type {
    case .uuid:
      var bytes = [UInt8](repeating: 0, count: 16)
      for place in 0..<8 { bytes[15 - place] = UInt8(truncatingIfNeeded: number >> Int64(8 * place)) }
      bytes[6] = 0x40
      bytes[8] = 0x80
      return (.uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }), 0)
    case .string:
      let digits = String(number, radix: 36)
      let text = "r" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
      let least = attribute.range.minimumLength ?? 0
      return (.string(text + String(repeating: "a", count: max(0, least - text.count))), 0)
    case .uri: return (.uri("https://example.org/rows/\(number)"), 0)
    case .integer64: return (.integer((attribute.range.minimum?.fieldValue.wholeNumber ?? 1) + number), 0)
    case .integer32:
      return (.integer(number % 2_000_000_000), number / 2_000_000_000)
    case .integer16: return (.integer(number % 32_000), number / 32_000)
    case .date: return (.date(Double(number)), 0)
    case .double: return (.double(Double(number)), 0)
    case .decimal: return (.decimal(Decimal(number)), 0)
    case .boolean: return (.boolean(number % 2 == 1), number / 2)
    case .float, .binary, .transformable: return (nil, number)
    }
  }
}

extension FieldValue {
  /// The number as a whole one, or nil if the value is not a number.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.up))
    default: nil
    }
  }

  /// The nearest value that a float keeps.
  fileprivate var asFloat: FieldValue {
    if case .double(let number) = self { .double(Double(Float(number))) } else { self }
  }
}
