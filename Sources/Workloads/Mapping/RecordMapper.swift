import MachineCore

/// Converts each record of a feed to the records of an import: one for the feed's own record, and one for each nested
/// value and reference that a relationship of the mapping takes.
///
/// The records of one feed record are a group. A target comes before the record that names it, except that a nested
/// value whose own link leads back comes after the record that contains it. An import saves a group as a whole.
struct RecordMapper {
  private let entities: [Entity]

  /// An entity of the mapping with everything that is needed for each record.
  private struct Entity {
    /// The index of the entity in the schema.
    var index: Int
    var attributes: [(conversion: FieldConversion, member: [String])]
    var key: FeedMapping.Key
    /// The places of the key's attributes among all attributes.
    var keyIndexes: [Int]
    /// The place of the attribute that holds a digest or a place, or nil if it does not exist.
    var addedIndex: Int?
    var attributeCount: Int
    var isReferenceOnly: Bool
    /// The relationships that records of this entity carry, in the order of the schema's links and lists.
    var links: [FeedMapping.Relationship?]
    var lists: [FeedMapping.Relationship]
    /// The relationships that the records of nested values carry, and the place among the target's links of the one that
    /// leads back.
    var nested: [(relationship: FeedMapping.Relationship, backLink: Int)]
  }

  /// A value of the feed from which the record of an entity is made.
  private enum Source {
    case record(FeedRecord, FeedReader)
    case value(FeedValue)
    /// A value with its name, which becomes a member of it.
    case named(FeedValue, FeedText, member: String)
  }

  /// Creates the mapper of a mapping whose schema was made by `FeedMapping.schema(model:)`.
  init(_ mapping: FeedMapping, schema: WorkloadSchema) {
    entities = mapping.entities.map { entity in
      let index = schema.index(ofEntity: entity.name) ?? 0
      let described = schema.entities[index]
      let carried = entity.relationships.filter { !$0.isCarriedByTarget }
      return Entity(
        index: index, attributes: entity.attributes.map { (FieldConversion($0), $0.member) }, key: entity.key,
        keyIndexes: described.keyIndexes,
        addedIndex: entity.key.addedAttribute.flatMap { name in described.attributes.firstIndex { $0.name == name } },
        attributeCount: described.attributes.count, isReferenceOnly: entity.isReferenceOnly,
        links: described.links.map { link in carried.first { $0.name == link.name } },
        lists: described.lists.compactMap { list in carried.first { $0.name == list.name } },
        nested: entity.relationships.filter(\.isCarriedByTarget).map { relationship in
          let target = schema.index(ofEntity: mapping.entities[relationship.target].name) ?? 0
          let place = schema.entities[target].links.firstIndex { $0.name == relationship.inverse?.name }
          return (relationship, place ?? 0)
        })
    }
  }

  /// Returns the group of a feed's record.
  ///
  /// - Parameters:
  ///   - record: The record of the feed.
  ///   - reader: The reader that read the record.
  ///   - place: The place of the record in the feed.
  /// - Returns: The records of the group.
  /// - Throws: `RecordFault` for the first value that does not fit its attribute.
  func group(of record: FeedRecord, in reader: FeedReader, at place: Int) throws(RecordFault) -> RecordGroup {
    var records: [ImportRecord] = []
    let key = try add(.record(record, reader), of: 0, at: place, back: nil, path: [], to: &records)
    let main = records.lastIndex { $0.entity == entities[0].index && $0.key == key } ?? 0
    return RecordGroup(records, main: main)
  }

  /// Adds the records of a value to the group, and returns the key of its own record.
  private func add(
    _ source: Source, of number: Int, at place: Int, back: (link: Int, key: RecordKey)?, path: [String],
    to group: inout [ImportRecord]
  ) throws(RecordFault) -> RecordKey {
    let entity = entities[number]
    var values: [FieldValue] = []
    values.reserveCapacity(entity.attributeCount)
    for (conversion, member) in entity.attributes {
      do throws(ConversionFault) {
        values.append(try conversion.convert(value(member, in: source)))
      } catch {
        throw RecordFault(path: path + member, sentence: error.sentence)
      }
    }
    if let added = entity.addedIndex { values.insert(addedValue(entity, source, place), at: added) }
    guard let key = key(of: values, entity) else {
      throw RecordFault(
        path: path, sentence: "has no value for the key " + entity.key.attributeNames.joined(separator: ", "))
    }
    var links: [RecordKey?] = []
    for (place, link) in entity.links.enumerated() {
      if let back, back.link == place {
        links.append(back.key)
        continue
      }
      guard let link else {
        links.append(nil)
        continue
      }
      links.append(try targets(of: link, in: source, path, &group).first)
    }
    var lists: [[RecordKey]] = []
    for list in entity.lists { lists.append(try targets(of: list, in: source, path, &group)) }
    group.append(ImportRecord(entity: entity.index, key: key, values: values, links: links, lists: lists))
    for (relationship, backLink) in entity.nested {
      let values = elements(of: relationship, in: source)
      try checkCount(values.count, relationship, path)
      for (place, value) in values.enumerated() {
        _ = try add(
          value, of: relationship.target, at: place, back: (backLink, key),
          path: path + relationship.member, to: &group)
      }
    }
    return key
  }

  /// Adds the records of a relationship's targets, and returns their keys, each once.
  private func targets(
    of relationship: FeedMapping.Relationship, in source: Source, _ path: [String], _ group: inout [ImportRecord]
  ) throws(RecordFault) -> [RecordKey] {
    var keys: [RecordKey] = []
    var seen: Set<RecordKey> = []
    for (place, element) in elements(of: relationship, in: source).enumerated() {
      let path = path + relationship.member
      let key: RecordKey
      if relationship.isReference, case .value(let value) = element {
        key = try reference(value, to: relationship.target, path, &group)
      } else {
        key = try add(element, of: relationship.target, at: place, back: nil, path: path, to: &group)
      }
      if seen.insert(key).inserted { keys.append(key) }
    }
    try checkCount(keys.count, relationship, path)
    return keys
  }

  private func checkCount(
    _ count: Int, _ relationship: FeedMapping.Relationship, _ path: [String]
  ) throws(RecordFault) {
    guard !relationship.end.allows(count) else { return }
    throw RecordFault(
      path: path + relationship.member,
      sentence: "has \(count) of the at least \(relationship.isToMany ? relationship.minCount : 1) that "
        + "\(relationship.name) requires")
  }

  /// Returns the key that a reference holds. If the feed has only keys of the target, a record with the key is added.
  private func reference(
    _ value: FeedValue, to number: Int, _ path: [String], _ group: inout [ImportRecord]
  ) throws(RecordFault) -> RecordKey {
    let entity = entities[number]
    guard entity.keyIndexes.count == 1,
      let attribute = entity.attributes.first(where: { $0.conversion.attribute.name == entity.key.attributeNames[0] })
    else { throw RecordFault(path: path, sentence: "refers to an entity whose key has several attributes") }
    do throws(ConversionFault) {
      let converted = try attribute.conversion.convert(value)
      guard let key = RecordKey(converted) else { throw ConversionFault("is null") }
      if entity.isReferenceOnly {
        group.append(
          ImportRecord(
            entity: entity.index, key: key, values: [converted], links: entity.links.map { _ in nil },
            lists: entity.lists.map { _ in [] }))
      }
      return key
    } catch {
      throw RecordFault(path: path, sentence: error.sentence)
    }
  }

  // MARK: Values

  private func key(of values: [FieldValue], _ entity: Entity) -> RecordKey? {
    entity.keyIndexes.count == 1
      ? RecordKey(values[entity.keyIndexes[0]]) : RecordKey(entity.keyIndexes.map { values[$0] })
  }

  private func addedValue(_ entity: Entity, _ source: Source, _ place: Int) -> FieldValue {
    if case .place = entity.key { return .integer(Int64(place)) }
    var text = JSONBuilder()
    switch source {
    case .record(let record, let reader): text.append(record, reader)
    case .value(let value): text.append(value)
    case .named(let value, let name, _):
      text.append(string: name.string)
      text.append(value)
    }
    return .string(StableHash.hexadecimal(of: text.bytes))
  }

  private func value(_ member: [String], in source: Source) -> FeedValue? {
    var value: FeedValue?
    var rest = member[...]
    switch source {
    case .record(let record, _): value = rest.popFirst().flatMap { record[$0] }
    case .value(let own): value = own
    case .named(let own, let name, let keyMember):
      if member == [keyMember] { return .string(name) }
      value = own
    }
    for name in rest {
      guard case .object(let object) = value else { return nil }
      value = object[name]
    }
    return value
  }

  /// Returns the values of a relationship's member without nulls: the elements of a list, those of a dictionary with
  /// their names, or the value itself.
  private func elements(of relationship: FeedMapping.Relationship, in source: Source) -> [Source] {
    switch value(relationship.member, in: source) {
    case nil, .null: return []
    case .list(let list): return list.filter { !$0.isNull }.map(Source.value)
    case .object(let object)?:
      guard let keyMember = relationship.keyMember else { return [.value(.object(object))] }
      return object.filter { !$0.value.isNull }.map { .named($0.value, $0.name, member: keyMember) }
    case let value?: return [.value(value)]
    }
  }
}

/// Records that an import saves together, such as those of one record of a feed.
struct RecordGroup {
  /// The records, of which all but the last are followed by another of the group.
  private(set) var records: [ImportRecord]
  /// The place of the source's own record, which may be updated and deleted. The others are those of nested values.
  let main: Int

  init(_ records: [ImportRecord], main: Int) {
    self.records = records
    self.main = main
    for index in records.indices { self.records[index].isFollowed = index < records.count - 1 }
  }
}

/// A reason why a feed's record cannot be imported.
struct RecordFault: Error {
  /// The names that lead to the value.
  var path: [String]
  /// A sentence, without its subject, that says what is wrong with the value.
  var sentence: String

  /// The sentence with its subject.
  var message: String { path.isEmpty ? "the record \(sentence)" : "\(path.joined(separator: ".")) \(sentence)" }
}

extension FeedMapping.Key {
  /// The name of the attribute that is added to hold the key, or nil if the key consists of members of the feed.
  var addedAttribute: String? {
    switch self {
    case .attributes: nil
    case .content(let name), .place(let name): name
    }
  }
}

extension JSONBuilder {
  /// Appends the members of a record as an object, sorted by the bytes of their names.
  mutating func append(_ record: FeedRecord, _ reader: FeedReader) {
    append(raw: "{")
    var places: [(name: MemberName, place: Range<Int>)] = []
    for (id, value) in record.members {
      if !places.isEmpty { append(raw: ",") }
      let start = bytes.count
      let name = reader.name(of: id)
      append(string: name)
      append(raw: ":")
      append(value)
      places.append((MemberName(name), start..<bytes.count))
    }
    sort(places)
    append(raw: "}")
  }
}

extension StableHash {
  /// Returns a digest of 128 bits as 32 hexadecimal digits, made of two hashes of which one starts with a further byte.
  static func hexadecimal(of bytes: [UInt8]) -> String {
    [bytes, [1] + bytes].map { bytes in
      let text = String(bytes.withUnsafeBytes { hash(of: $0) }, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }
}
