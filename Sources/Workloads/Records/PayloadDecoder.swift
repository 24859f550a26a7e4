import Foundation

/// Decodes a payload's JSON text into records. This is the decoding that a trial measures.
///
/// It is a plain `JSONDecoder` that passes once over keyed containers, without a type for each entity. The decoder has
/// no state and may be used on any queue. Its caller reports the work (`recordDecoded`).
package struct PayloadDecoder: Sendable {
  private let plan: DecodingPlan

  package init(schema: WorkloadSchema) {
    plan = DecodingPlan(schema: schema)
  }

  /// Returns the payload's records in order.
  ///
  /// Complexity: O(n) in the bytes, about 4 µs for each record of the catalog.
  /// - Throws: `WorkloadError` (`damagedPayload`) if the text is not a list of this schema's records.
  package func decode(_ bytes: Data) throws(WorkloadError) -> [ImportRecord] {
    let decoder = JSONDecoder()
    decoder.userInfo[DecodingPlan.userInfoKey] = plan
    do {
      return try decoder.decode(DecodedPayload.self, from: bytes).records
    } catch let error as WorkloadError {
      throw error
    } catch {
      throw WorkloadError(.damagedPayload, "the payload cannot be decoded: \(JSONFault(error).sentence)")
    }
  }
}

/// A member's name as a coding key.
private struct Member: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The parts of the schema that the decoder needs, with coding keys that are created only once.
private struct DecodingPlan: Sendable {
  static let userInfoKey = CodingUserInfoKey(rawValue: "plan")!
  static let type = Member(stringValue: "type")
  static let deleted = Member(stringValue: "deleted")
  static let isFollowed = Member(stringValue: "isFollowed")

  struct Attribute: Sendable {
    var member: Member
    var type: ValueType
    var isOptional: Bool
    var hasNumericDates: Bool
  }

  /// A link or a list, with the attributes of its target's key.
  struct Relationship: Sendable {
    var member: Member
    var key: [Attribute]
  }

  struct Entity: Sendable {
    var name: String
    var keyIndexes: [Int]
    var attributes: [Attribute]
    var links: [Relationship]
    var lists: [Relationship]
  }

  var entities: [Entity]
  var recordForm: WorkloadSchema.RecordForm
  var hasGroups: Bool

  init(schema: WorkloadSchema) {
    recordForm = schema.recordForm
    hasGroups = schema.hasGroups
    let attributes = schema.entities.map { entity in
      entity.attributes.map {
        Attribute(
          member: Member(stringValue: $0.member), type: $0.type, isOptional: $0.isOptional,
          hasNumericDates: $0.hasNumericDates)
      }
    }
    func relationship(_ described: WorkloadSchema.Relationship, of entity: WorkloadSchema.Entity) -> Relationship {
      let index = schema.index(ofEntity: described.targetEntity)
      let key = index.map { index in schema.entities[index].keyIndexes.map { attributes[index][$0] } }
      return Relationship(member: Member(stringValue: entity.member(ofRelationship: described.name)), key: key ?? [])
    }
    entities = schema.entities.enumerated().map { index, entity in
      Entity(
        name: entity.name, keyIndexes: entity.keyIndexes, attributes: attributes[index],
        links: entity.links.map { relationship($0, of: entity) },
        lists: entity.lists.map { relationship($0, of: entity) })
    }
  }
}

/// The records of a payload, as decoded by `JSONDecoder`.
private struct DecodedPayload: Decodable {
  typealias Container = KeyedDecodingContainer<Member>

  var records: [ImportRecord] = []

  init(from decoder: any Decoder) throws {
    guard let plan = decoder.userInfo[DecodingPlan.userInfoKey] as? DecodingPlan else {
      throw WorkloadError(.damagedPayload, "the payload is decoded without a schema")
    }
    var list = try decoder.unkeyedContainer()
    records.reserveCapacity(list.count ?? 0)
    while !list.isAtEnd {
      records.append(try Self.record(try list.nestedContainer(keyedBy: Member.self), plan))
    }
  }

  private static func record(_ container: Container, _ plan: DecodingPlan) throws -> ImportRecord {
    var index = 0
    if plan.recordForm == .tagged {
      let name = try container.decode(String.self, forKey: DecodingPlan.type)
      guard let found = plan.entities.firstIndex(where: { $0.name == name }) else {
        throw WorkloadError(.damagedPayload, "the payload holds a record of type \(name), and no entity has that name")
      }
      index = found
    }
    let entity = plan.entities[index]
    if plan.recordForm == .tagged, try container.decodeIfPresent(Bool.self, forKey: DecodingPlan.deleted) == true {
      let values = try entity.keyIndexes.map { try value(container, entity.attributes[$0]) }
      guard let key = RecordKey(values) else { throw noKey(entity) }
      return .deletion(entity: index, key: key)
    }
    var values: [FieldValue] = []
    values.reserveCapacity(entity.attributes.count)
    for attribute in entity.attributes {
      values.append(try value(container, attribute))
    }
    let found =
      entity.keyIndexes.count == 1
      ? RecordKey(values[entity.keyIndexes[0]]) : RecordKey(entity.keyIndexes.map { values[$0] })
    guard let key = found else { throw noKey(entity) }
    var links: [RecordKey?] = []
    links.reserveCapacity(entity.links.count)
    for link in entity.links {
      let isAbsent = try !container.contains(link.member) || container.decodeNil(forKey: link.member)
      links.append(isAbsent ? nil : try Self.key(container, link))
    }
    var record = ImportRecord(
      entity: index, key: key, values: values, links: links, lists: try lists(container, entity))
    if plan.hasGroups {
      record.isFollowed = try container.decodeIfPresent(Bool.self, forKey: DecodingPlan.isFollowed) == true
    }
    return record
  }

  private static func noKey(_ entity: DecodingPlan.Entity) -> WorkloadError {
    WorkloadError(.damagedPayload, "the payload holds a \(entity.name) without a key")
  }

  private static func lists(_ container: Container, _ entity: DecodingPlan.Entity) throws -> [[RecordKey]] {
    var lists: [[RecordKey]] = []
    for list in entity.lists {
      var keys: [RecordKey] = []
      if try container.contains(list.member) && !container.decodeNil(forKey: list.member) {
        var elements = try container.nestedUnkeyedContainer(forKey: list.member)
        while !elements.isAtEnd {
          if list.key.count == 1 {
            keys.append(try single(value(&elements, list.key[0])))
          } else {
            var parts = try elements.nestedUnkeyedContainer()
            keys.append(try compound(&parts, list.key))
          }
        }
      }
      lists.append(keys)
    }
    return lists
  }

  private static func key(_ container: Container, _ link: DecodingPlan.Relationship) throws -> RecordKey {
    if link.key.count == 1 {
      var attribute = link.key[0]
      attribute.member = link.member
      return try single(value(container, attribute))
    }
    var parts = try container.nestedUnkeyedContainer(forKey: link.member)
    return try compound(&parts, link.key)
  }

  private static func single(_ value: FieldValue) throws -> RecordKey {
    guard let key = RecordKey(value) else {
      throw WorkloadError(.damagedPayload, "the payload holds a link without a key")
    }
    return key
  }

  private static func compound(
    _ parts: inout any UnkeyedDecodingContainer, _ attributes: [DecodingPlan.Attribute]
  ) throws -> RecordKey {
    var values: [FieldValue] = []
    for attribute in attributes { values.append(try value(&parts, attribute)) }
    guard let key = RecordKey(values) else {
      throw WorkloadError(.damagedPayload, "the payload holds a link without a key")
    }
    return key
  }
}

// MARK: - Values

extension DecodedPayload {
  private static func value(_ container: Container, _ attribute: DecodingPlan.Attribute) throws -> FieldValue {
    let member = attribute.member
    if attribute.isOptional, try !container.contains(member) || container.decodeNil(forKey: member) {
      return .null
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return .integer(try container.decode(Int64.self, forKey: member))
    case .double, .float: return .double(try container.decode(Double.self, forKey: member))
    case .boolean: return .boolean(try container.decode(Bool.self, forKey: member))
    case .date where attribute.hasNumericDates:
      if let seconds = try? container.decode(Double.self, forKey: member) { return .date(seconds) }
      return try value(try container.decode(String.self, forKey: member), .date)
    case .date, .string, .decimal, .binary, .uuid, .uri, .transformable:
      return try value(try container.decode(String.self, forKey: member), attribute.type)
    }
  }

  /// Returns the next element of a list, which may be null.
  private static func value(
    _ list: inout some UnkeyedDecodingContainer, _ attribute: DecodingPlan.Attribute
  ) throws -> FieldValue {
    if try list.decodeNil() { return .null }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return .integer(try list.decode(Int64.self))
    case .double, .float: return .double(try list.decode(Double.self))
    case .boolean: return .boolean(try list.decode(Bool.self))
    case .date where attribute.hasNumericDates:
      if let seconds = try? list.decode(Double.self) { return .date(seconds) }
      return try value(try list.decode(String.self), .date)
    case .date, .string, .decimal, .binary, .uuid, .uri, .transformable:
      return try value(try list.decode(String.self), attribute.type)
    }
  }

  /// Returns the value of an attribute that a payload holds as text.
  private static func value(_ text: String, _ type: ValueType) throws -> FieldValue {
    let value: FieldValue? =
      switch type {
      case .string: .string(text)
      case .uri: .uri(text)
      case .date: .date(try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate)
      case .decimal: Decimal(string: text).map(FieldValue.decimal)
      case .binary, .transformable: Data(base64Encoded: text).map(FieldValue.binary)
      case .uuid: UUID(uuidString: text).map(FieldValue.uuid)
      case .integer16, .integer32, .integer64, .double, .float, .boolean: nil
      }
    guard let value else {
      throw WorkloadError(.damagedPayload, "the payload holds \(JSONBuilder.quoted(text)), which is no \(type)")
    }
    return value
  }
}
